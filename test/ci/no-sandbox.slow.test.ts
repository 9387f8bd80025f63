import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import type { LaneRecord } from "../../src/domain/ci.ts";
import { builtCommand } from "../support/built-command.ts";
import { change, skillText } from "./change.ts";

const run = promisify(execFile);
const BWRAP = "/usr/bin/bwrap";
const canHide = process.getuid?.() === 0 && existsSync(BWRAP);

it.skipIf(!canHide)(
  "a lane runs nothing of the change where its files cannot be hidden (needs root and bubblewrap)",
  { timeout: 240_000 },
  async () => {
    await using command = await builtCommand();
    await using project = await change({ "skills/greeter/SKILL.md": skillText("Hello") });
    const lane = `node ${command.path} ci live --base main --runs 1 --max-cost 5`;
    const hidden = `mount --bind /dev/null ${BWRAP} && cd ${project.root} && ${lane}; true`;
    await run("unshare", ["--mount", "sh", "-c", hidden], { env: { ...process.env, ...project.env } });
    const text = await readFile(project.path("assay-ci/lane.json"), "utf8");
    const { problem } = JSON.parse(text) as LaneRecord;
    expect(problem).toContain("in which the change could read this machine's files");
    expect(existsSync(project.path("assay-ci/results/greeter"))).toBe(false);
  },
);
