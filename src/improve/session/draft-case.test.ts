import { expect, it } from "vitest";
import { secretMask } from "../../lib/secret-mask.ts";
import { cleaner } from "./clean.ts";
import { draftCase } from "./draft-case.ts";

it("counts each thing that is taken out once, also of what is expected beside the log", () => {
  const session = {
    client: "transcript" as const,
    version: null,
    cwd: "/project/report",
    events: [{ kind: "user" as const, text: "Write the report" }],
    problems: [],
  };
  const drafted = draftCase(session, {
    expected: ["Send it to jane@corp.io, not to /home/jane/inbox"],
    cleaner: cleaner(session.cwd, { mask: secretMask([]), home: "/home/jane" }),
  });
  expect(drafted.expectations).toEqual(["Send it to person@example.com, not to ~/inbox"]);
  expect(drafted.notes).toEqual(["taken out: personal paths in 1 texts", "taken out: 1 e-mail addresses"]);
});
