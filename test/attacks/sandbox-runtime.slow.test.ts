import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { sandboxRuntime } from "../../src/run/sandboxes/sandbox-runtime.ts";
import { builtCommand } from "../support/built-command.ts";
import { attackPage, recordedColumn } from "./attack-page.ts";
import { ATTACKS } from "./attacks.ts";
import { hostileProject, playedIn, RUN } from "./hostile-skills.ts";
import { onSpoiledFiles, startNeighbor } from "./user-machine.ts";

const PAGE = fileURLToPath(new URL("../../docs/design/attacks.md", import.meta.url));
const PACKAGES = fileURLToPath(new URL("../../node_modules", import.meta.url));

const unavailable =
  process.getuid?.() === 0 ? await sandboxRuntime().unavailable() : "the page tells what root gets";

it.skipIf(unavailable !== null)(
  `hostile skills get in sandbox-runtime what the page about attacks says${unavailable === null ? "" : ` (${unavailable})`}`,
  { timeout: 240_000 },
  async () => {
    await using command = await builtCommand();
    symlinkSync(PACKAGES, join(dirname(command.path), "..", "node_modules"));
    using neighbor = await startNeighbor();
    await using tree = await hostileProject(ATTACKS, neighbor);
    const program = [
      process.execPath,
      command.path,
      ...RUN,
      "--sandbox",
      "sandbox-runtime",
      "--network",
      "none",
    ];
    expect(onSpoiledFiles(tree, program).signal).toBeNull();
    const page = readFileSync(PAGE, "utf8");
    const written = attackPage(ATTACKS, [
      recordedColumn(page, "bwrap"),
      {
        name: "sandbox-runtime",
        became: (attack) => {
          const { got, lines } = playedIn(tree, attack);
          if (got) return "**succeeds**";
          const told = attack.reported.startsWith("security/") || lines.join("\n").includes(attack.reported);
          return told ? "stopped" : "stopped, untold";
        },
      },
      recordedColumn(page, "none"),
    ]);
    if (process.env["UPDATE_GOLDEN"] !== undefined) writeFileSync(PAGE, written);
    expect(readFileSync(PAGE, "utf8")).toBe(written);
  },
);
