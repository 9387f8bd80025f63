import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { EvalEvent } from "../../src/domain/event.ts";
import { mapConcurrently } from "../../src/lib/concurrent.ts";
import { builtCommand } from "../support/built-command.ts";
import { stubClients } from "./cell.ts";
import { firstError } from "./outcome.ts";
import { outcomesPage } from "./outcomes-page.ts";
import {
  isPossible,
  openToAll,
  runSituation,
  SANDBOXES,
  type SandboxName,
  type Situation,
  type SituationRun,
  SITUATIONS,
} from "./situation.ts";
import { strictService } from "./strict-service.ts";

interface Cell {
  readonly situation: Situation;
  readonly sandbox: SandboxName;
  readonly possible: boolean;
}

const CELLS: readonly Cell[] = SITUATIONS.flatMap((situation) =>
  SANDBOXES.map((sandbox) => ({ situation, sandbox, possible: isPossible(situation, sandbox) })),
);

const outcomes = new Map<Cell, string>();

beforeAll(async () => {
  await using command = await builtCommand();
  await using clients = await stubClients();
  const root = dirname(dirname(command.path));
  await openToAll(
    root,
    ...[clients.claude, clients.codex].flatMap((one) => [dirname(one), dirname(dirname(one))]),
  );
  const surroundings = { command: command.path, clients, service: strictService };
  await mapConcurrently(
    CELLS.filter(({ possible }) => possible),
    2,
    async (cell) => {
      await using ran = await runSituation(cell.situation, cell.sandbox, surroundings);
      outcomes.set(cell, await outcomeOf(ran));
    },
  );
}, 300_000);

describe("a run works, whoever runs it and in whichever sandbox", () => {
  for (const cell of CELLS) {
    const { situation, sandbox, possible } = cell;
    it.skipIf(!possible)(`${situation.title}, --sandbox ${sandbox}`, () => {
      const beside = situation.beside === true ? ", both" : "";
      expect(outcomes.get(cell)).toBe(`passes${sandbox === "none" ? "" : ` in ${sandbox}`}${beside}`);
    });
  }

  it("as docs/logins.md says", async () => {
    const { page, expected } = await outcomesPage({
      name: "situations",
      head: ["situation", ...SANDBOXES.map((name) => `\`--sandbox ${name}\``)],
      rows: SITUATIONS.map((situation) => [
        situation.title,
        ...CELLS.filter((cell) => cell.situation === situation).map((cell) => outcomes.get(cell) ?? null),
      ]),
    });
    expect(page).toBe(expected);
  });
});

/** What became of it, and in which sandbox it really was. */
async function outcomeOf({ exitCode, err, out, project, beside }: SituationRun): Promise<string> {
  if (exitCode === 2) return `refused: ${firstError(err)}`;
  const path = project.path(".assay/greeter/iteration-1/journal.jsonl");
  const lines = (await readFile(path, "utf8").catch(() => "")).split("\n");
  const runs = lines
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as EvalEvent)
    .flatMap((event) => (event.kind === "trial-finished" ? [event.run] : []));
  const held = new Set(runs.map(({ conditions }) => conditions.sandbox).filter((name) => name !== "none"));
  const words = exitCode === 0 ? "passes" : `exit ${exitCode}: ${err}${out}`;
  const other = beside === null ? "" : beside.exitCode === 0 ? ", both" : `, the other: ${beside.err}`;
  return `${words}${held.size === 0 ? "" : ` in ${[...held].join(", ")}`}${other}`;
}
