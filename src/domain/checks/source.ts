import type { Unkept } from "../run.ts";

/** What a check is decided on. Each has one grader of ours but `plugin`, and `needs` what of the run was kept beside its output. */
export const SOURCES = {
  output: { text: "the output", needs: null },
  urls: { text: "URLs in the output", needs: null },
  transcript: { text: "what the agent did", needs: "transcript" },
  files: { text: "files of the workspace", needs: "files" },
  commands: { text: "a command in the workspace", needs: "commands" },
  usage: { text: "what the run took", needs: "usage" },
  activations: { text: "the skills loaded", needs: "transcript" },
  sections: { text: "what a model extracts", needs: null },
  everything: { text: "whatever a judge is shown", needs: null },
  plugin: { text: "whatever the grader reads", needs: null },
} satisfies Readonly<
  Record<string, { readonly text: string; readonly needs: Unkept | "usage" | "commands" | null }>
>;

export type Source = keyof typeof SOURCES;
