import { type Case, NO_SETTINGS } from "../domain/suite.ts";

/** A case with only what every format must say; a loader spreads it and adds the rest. */
export function plainCase(head: Pick<Case, "id" | "declaredId" | "kind" | "format" | "at" | "prompt">): Case {
  return {
    ...head,
    name: null,
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
