import { commandsOf } from "../../domain/check.ts";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import type { JsonObject, Json } from "../../domain/json.ts";
import type { Case, Suite } from "../../domain/suite.ts";
import { diagnosticsOf, textHits } from "./scan.ts";

/** The programs that eval files run: that they do, and what in them may be meant badly. */
export function evalProgramNotes({ cases }: Pick<Suite, "cases">): readonly Diagnostic[] {
  return cases.flatMap((one) =>
    programsOf(one).flatMap(({ name, text }) => {
      const named = {
        code: "security/eval-program",
        offset: 0,
        message: `${name} of case ${one.id} runs a program`,
      } as const;
      const hits = textHits(text, "script").filter(({ code }) => code !== "security/network-call");
      const told = hits.map((hit) => ({ ...hit, message: `${name} of case ${one.id}: ${hit.message}` }));
      return diagnosticsOf([named, ...told], () => one.at);
    }),
  );
}

interface Program {
  readonly name: string;
  readonly text: string;
}

function programsOf({ setup, teardown, checks, mcpServers }: Case): readonly Program[] {
  return [
    ...(setup === null ? [] : [{ name: "setup", text: setup }]),
    ...(teardown === null ? [] : [{ name: "teardown", text: teardown }]),
    ...commandsOf(checks).map((text) => ({ name: "a shell check", text })),
    ...Object.entries(mcpServers ?? {}).map(([name, server]) => ({
      name: `the MCP server ${name}`,
      text: callOf(server),
    })),
  ];
}

/** As a shell would be told it, so that what is known of commands is found. */
function callOf(server: Json | undefined): string {
  const { command = "", args = [], url = "" } = isObject(server) ? server : {};
  return [command, ...(Array.isArray(args) ? args : []), url]
    .filter((word) => typeof word === "string")
    .join(" ");
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
