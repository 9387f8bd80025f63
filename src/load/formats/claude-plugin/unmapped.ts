import type { Location } from "../../../domain/diagnostic.ts";
import type { TellUnmapped } from "../../unmapped.ts";
import type { Halves } from "./load.ts";

/** Tells what the case's own two files say that a run does not do. */
export function tellUnmapped(
  { prompt, file }: Halves,
  { unmapped, mocks, start }: { unmapped: TellUnmapped; mocks: readonly string[]; start: Location },
): void {
  const own = prompt?.said;
  const execution = file?.said.execution;
  const told = (
    field: string,
    value: { readonly offset: number } | null | undefined,
    where: Halves["prompt"] | Halves["file"],
    { why, hint }: { why: string; hint?: string },
  ): void => {
    if (!value) return;
    const at = where?.document.at(value.offset) ?? start;
    unmapped.add({ field, why, at, ...(hint !== undefined && { hint }) });
  };
  for (const [field, words] of Object.entries(RUN_FIELDS) as [keyof typeof RUN_FIELDS, Words][]) {
    if (own?.[field]) told(field, own[field], prompt, words);
    else told(`execution.${field}`, execution?.[field], file, words);
  }
  for (const [field, words] of Object.entries(HEAD_FIELDS) as [keyof typeof HEAD_FIELDS, Words][]) {
    if (own?.[field]) told(field, own[field], prompt, words);
    else told(field, file?.said[field], file, words);
  }
  told("context.history_file", file?.said.context?.history_file, file, {
    why: "is not replayed: the case starts with its prompt",
    hint: "put what the agent must know into the prompt",
  });
  for (const folder of mocks) {
    unmapped.add({
      field: "mocks/",
      why: "is not played: the plugin's MCP servers are not started",
      at: { file: folder, line: 1, column: 1 },
      hint: "give the case a server of its own: assay convert, then mcp_servers in the assay key",
    });
  }
}

interface Words {
  readonly why: string;
  readonly hint?: string;
}

const RUN_FIELDS = {
  model: { why: "is not used: one model runs every case", hint: "pass --model" },
  max_turns: { why: "is not used: one limit holds for every case", hint: "pass --max-turns" },
  allowed_tools: { why: "is not used: one list holds for every case", hint: "pass --allowed-tools" },
  append_system_prompt: { why: "is not used" },
  env: { why: "is not passed to the agent" },
} as const;

const HEAD_FIELDS = {
  tags: { why: "is not used", hint: "choose cases with --case or --filter" },
  plugins: {
    why: "is not used: the plugin around the case is tested",
    hint: "pass --skill for another skill",
  },
} as const;
