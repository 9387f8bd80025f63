import { expect, it } from "vitest";
import { sandboxContract } from "../sandbox.contract.ts";
import { none } from "./none.ts";

await sandboxContract(none());

it("refuses to pretend that it can mount an overlay", () => {
  const workspace = { kind: "overlay", lower: ["/l"], upper: "/u", work: "/w", mountPoint: "/m" } as const;
  const ground = { id: "t", workspace, home: "/h", temp: "/t", readable: [] };
  const command = { program: "/bin/true", args: [], cwd: "/m", env: {}, stdin: "" };
  expect(() => none().wrap(command, ground)).toThrow("overlay");
});
