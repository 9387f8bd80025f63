import { type Case, NO_SETTINGS } from "../domain/suite.ts";

/** A case with only what every format must say; a loader spreads it and adds the rest. */
export function plainCase(head: Pick<Case, "id" | "declaredId" | "kind" | "format" | "at" | "prompt">): Case {
  const { id, declaredId, kind, format, at, prompt } = head;
  // Written out, because spreading takes most of the time of loading thousands of files.
  return {
    id,
    declaredId,
    name: null,
    kind,
    format,
    at,
    prompt,
    expectedOutput: null,
    files: [],
    overlays: [],
    output: { kind: "messages" },
    setup: null,
    teardown: null,
    sections: [],
    checks: [],
    settings: NO_SETTINGS,
    reference: null,
    mcpServers: null,
    extras: {},
  };
}
