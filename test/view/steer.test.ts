import { chmod } from "node:fs/promises";
import { expect, it } from "vitest";
import type { LiveCall } from "../../src/domain/pages.ts";
import { ask as request } from "../../src/viewer/api.ts";
import { assay } from "../support/command-line.ts";
import { greeters } from "../support/greeters.ts";
import { journal } from "../support/project.ts";
import { turnstile, until } from "../support/turnstile.ts";
import { visit } from "./kit.ts";

const AT = { skill: "greeter", n: 1 };
const RUN = "run skills/greeter --harness command --command ./agent.sh --sandbox none -j 1".split(" ");

it("pauses, resumes and stops the call that is at work on an iteration", { timeout: 240_000 }, async () => {
  await using gate = await turnstile();
  await using project = await greeters(6, [], { "agent.sh": gate.agent("Hello Ada") });
  await chmod(project.path("agent.sh"), 0o755);
  const running = assay(RUN, { cwd: project.root });
  await gate.arrivals(1);
  await using visitor = await visit(project.root);
  const tell = (what: unknown) => visitor.post<LiveCall>(request.steer(AT), { do: what });
  await until(() =>
    tell("pause").then(
      ({ state }) => state === "paused",
      () => false,
    ),
  );
  expect(await tell("resume")).toMatchObject({ state: "running", concurrency: 1 });
  await expect(tell("explode")).rejects.toThrow("400");
  expect(await tell("stop")).toMatchObject({ state: "stopping" });
  await expect(tell("pause")).rejects.toThrow("it is already stopping");
  gate.release();
  expect((await running).exitCode).toBe(130);
  expect((await journal(project.root)).at(-1)).toMatchObject({ ended: "interrupted" });
  await expect(tell("stop")).rejects.toThrow("no call that answers is at work");
});
