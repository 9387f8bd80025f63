import { expect, it } from "vitest";
import { TRIAL_MARK } from "../process/stop.ts";
import { sandboxContract } from "../sandbox.contract.ts";
import { none } from "./none.ts";

await sandboxContract(none());

it("marks the processes of one trial otherwise than those of the same trial elsewhere on the machine", async () => {
  const command = { program: "/bin/true", args: [], cwd: "/m", env: {}, stdin: "" };
  const mark = async (root: string) => {
    const workspace = { kind: "directory", path: `${root}/workspace` } as const;
    const ground = {
      id: "key-1-with_skill",
      workspace,
      home: `${root}/home`,
      temp: `${root}/tmp`,
      readable: [],
    };
    return (await none().wrap(command, ground)).env[TRIAL_MARK];
  };
  expect(await mark("/run-a")).toEqual(expect.stringContaining("/run-a"));
  expect(await mark("/run-a")).not.toBe(await mark("/run-b"));
});

it("refuses to pretend that it can mount an overlay", () => {
  const workspace = { kind: "overlay", lower: ["/l"], upper: "/u", work: "/w", mountPoint: "/m" } as const;
  const ground = { id: "t", workspace, home: "/h", temp: "/t", readable: [] };
  const command = { program: "/bin/true", args: [], cwd: "/m", env: {}, stdin: "" };
  expect(() => none().wrap(command, ground)).toThrow("overlay");
});
