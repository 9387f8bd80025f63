import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { treeHash } from "../../src/lib/tree-hash.ts";
import { bwrap } from "../../src/run/sandboxes/bwrap.ts";
import { builtCommand } from "../support/built-command.ts";
import type { TempTree } from "../support/temp-tree.ts";
import { attackPage, recordedColumn } from "./attack-page.ts";
import { ATTACKS } from "./attacks.ts";
import { environmentIn, hostileProject, playedIn, RUN } from "./hostile-skills.ts";
import { onSpoiledMachine, startNeighbor } from "./user-machine.ts";

const PAGE = fileURLToPath(new URL("../../docs/design/attacks.md", import.meta.url));

let command: Awaited<ReturnType<typeof builtCommand>>;
let neighbor: Awaited<ReturnType<typeof startNeighbor>>;
let tree: TempTree;
let unheld: TempTree;
beforeAll(async () => {
  command = await builtCommand();
  neighbor = await startNeighbor();
  tree = await hostileProject(ATTACKS, neighbor);
  unheld = await hostileProject(
    ATTACKS.filter(({ untried }) => untried === undefined),
    neighbor,
  );
}, 120_000);
afterAll(async () => {
  neighbor[Symbol.dispose]();
  await command[Symbol.asyncDispose]();
  await tree[Symbol.asyncDispose]();
  await unheld[Symbol.asyncDispose]();
});

function assay(args: readonly string[]) {
  return spawnSync(process.execPath, [command.path, ...args], environmentIn(tree));
}

const unavailable = await bwrap().unavailable();

describe.skipIf(unavailable !== null)(
  `hostile skills${unavailable === null ? "" : ` (${unavailable})`}`,
  () => {
    let said: string;
    let checked: string;
    let before: string;
    beforeAll(async () => {
      before = await treeHash(tree.path("home"));
      checked = assay(["check"]).stdout;
      const ran = assay([...RUN, "--sandbox", "bwrap", "--network", "none"]);
      said = ran.stdout + ran.stderr;
    }, 180_000);

    it("are at least forty", () => {
      expect(ATTACKS.length).toBeGreaterThanOrEqual(40);
      expect(new Set(ATTACKS.map(({ name }) => name)).size).toBe(ATTACKS.length);
    });

    it.each(ATTACKS)("$name is stopped by bwrap, and reported", (attack) => {
      const { got, lines, answer } = playedIn(tree, attack);
      const scanned = checked.split("\n").filter((line) => line.includes(`skills/${attack.name}/`));
      expect(got).toBe(false);
      expect(answer).not.toContain("FORGED");
      expect([...lines, ...scanned].join("\n")).toContain(attack.reported);
    });

    it("leave the user's home as it was", async () => {
      const skip = (path: string) => path === ".cache" || path === ".config/assay";
      expect(await treeHash(tree.path("home"), { skip })).toBe(before);
    });

    it("give no commands to a CI service or a terminal", () => {
      expect(said).toContain("tried to reach ~/.ssh: not there");
      expect(said.split("\n").filter((line) => /^\s*::|##\[/u.test(line) || line.includes("\u001b"))).toEqual(
        [],
      );
    });

    it("are what the page about attacks says, with a sandbox and without", { timeout: 180_000 }, () => {
      const ran = onSpoiledMachine(unheld, neighbor, [
        process.execPath,
        command.path,
        ...RUN,
        "--sandbox",
        "none",
      ]);
      expect(ran.stderr).toContain("running without a sandbox");
      const page = readFileSync(PAGE, "utf8");
      const written = attackPage(ATTACKS, [
        { name: "bwrap", became: () => "stopped" },
        recordedColumn(page, "sandbox-runtime"),
        {
          name: "none",
          became: (attack) =>
            attack.untried !== undefined
              ? "not tried"
              : playedIn(unheld, attack).got
                ? "**succeeds**"
                : "stopped",
        },
      ]);
      if (process.env["UPDATE_GOLDEN"] !== undefined) writeFileSync(PAGE, written);
      expect(readFileSync(PAGE, "utf8")).toBe(written);
    });
  },
);
