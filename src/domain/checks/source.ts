/** What a check is decided on. Each has one grader of ours but `plugin`, and a captured output has no more than the output. */
export const SOURCES = {
  output: { text: "the output", needsTheRun: false },
  urls: { text: "URLs in the output", needsTheRun: false },
  transcript: { text: "what the agent did", needsTheRun: true },
  files: { text: "files of the workspace", needsTheRun: true },
  usage: { text: "what the run took", needsTheRun: true },
  activations: { text: "the skills taken up", needsTheRun: true },
  sections: { text: "what a model extracts", needsTheRun: false },
  everything: { text: "whatever a judge is shown", needsTheRun: false },
  plugin: { text: "whatever the grader reads", needsTheRun: false },
} satisfies Readonly<Record<string, { readonly text: string; readonly needsTheRun: boolean }>>;

export type Source = keyof typeof SOURCES;
