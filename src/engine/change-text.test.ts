import { expect, it } from "vitest";
import type { Change } from "../domain/change.ts";
import { changesText } from "./change-text.ts";

const claude = (version: string | null) => ({ name: "claude", version });

it.each<[readonly Change[], string]>([
  [[{ kind: "client", from: claude("2.1.197"), to: claude("2.1.325") }], "agent claude 2.1.197 -> 2.1.325"],
  [
    [{ kind: "client", from: { name: "./a.sh", version: null }, to: { name: "./b.sh", version: null } }],
    "agent ./a.sh -> ./b.sh",
  ],
  [[{ kind: "option", name: "timeoutSeconds" }], "option --timeout changed"],
  [[{ kind: "option", name: "mcpServers" }], "option --mcp changed"],
  [[{ kind: "project", files: ["src/x.ts", "a", "b", "c"] }], "project files changed: src/x.ts and 3 more"],
  [[{ kind: "project", files: null }], "project files changed"],
  [[{ kind: "unknown" }], "something it depends on changed"],
])("says %j in a few words", (changes, words) => {
  expect(changesText(changes, "/project")).toBe(words);
});
