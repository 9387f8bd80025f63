import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { mapConcurrently } from "../../src/lib/concurrent.ts";
import { builtCommand } from "../support/built-command.ts";
import { textBelow } from "../support/text-below.ts";
import { AGENTS, type Cell, CELLS, CREDENTIALS, givenFor, JUDGES, runCell, stubClients } from "./cell.ts";
import { iterationsIn, outcomeOf } from "./outcome.ts";
import { outcomesPage, type OutcomesTable } from "./outcomes-page.ts";
import { GOOD, strictService } from "./strict-service.ts";

/** What one cell showed, kept so that all of them can run side by side before anything is looked at. */
interface Seen {
  readonly cell: Cell;
  readonly outcome: string;
  readonly exitCode: number;
  readonly err: string;
  readonly iterations: readonly string[];
  /** Everything that the run left in the project. */
  readonly kept: string;
  /** The user's own credentials afterwards. */
  readonly files: Readonly<Record<string, string>>;
}

let cells: readonly Seen[];
let given: string;

beforeAll(async () => {
  await using command = await builtCommand();
  await using service = await strictService();
  await using clients = await stubClients();
  cells = await mapConcurrently(CELLS, 4, async (cell) => {
    await using ran = await runCell(cell, { command: command.path, url: service.url, clients });
    const { exitCode, err, home, project } = ran;
    const files = Object.keys(givenFor(cell, service.url).files);
    return {
      cell,
      outcome: await outcomeOf(ran),
      exitCode,
      err,
      iterations: await iterationsIn(ran),
      kept: await textBelow(project.path(".assay")),
      files: Object.fromEntries(
        await Promise.all(
          files.map(async (file) => [file, await readFile(home.path(file), "utf8")] as const),
        ),
      ),
    };
  });
  given = await clients.seen();
}, 300_000);

describe("every agent with every credential and every judge", () => {
  it("ends as docs/logins.md says", async () => {
    const { page, expected } = await outcomesPage(tableOf(cells));
    expect(page).toBe(expected);
  });

  it("never counts a set-up against the skill", () => {
    expect(cells.filter(({ exitCode }) => exitCode !== 0 && exitCode !== 2)).toEqual([]);
  });

  it("leaves no iteration where it refuses", () => {
    const left = cells.filter(({ exitCode, iterations }) => iterations.length !== (exitCode === 2 ? 0 : 1));
    expect(left).toEqual([]);
  });

  it("shows no agent and no judge a real credential, or anything of HOME", () => {
    expect(given).not.toBe("");
    for (const secret of Object.values(GOOD)) expect(given).not.toContain(secret);
    expect(given).not.toContain("credentials.json");
  });

  it("keeps no credential in the results, and leaves the user's files as they were", () => {
    for (const { cell, kept, files } of cells) {
      for (const secret of Object.values(GOOD)) expect(kept).not.toContain(secret);
      expect(files).toEqual(givenFor(cell, "").files);
    }
  });

  it("says once which login is used, before anything runs", () => {
    const loggedIn = cells.filter(
      ({ exitCode, cell }) => exitCode === 0 && Object.keys(givenFor(cell, "").files).length > 0,
    );
    expect(loggedIn.length).toBeGreaterThan(0);
    for (const { err } of loggedIn) {
      expect(err.split("uses your login from ~/.").length).toBe(2);
      expect(err.indexOf("uses your login")).toBeLessThan(err.indexOf("1 trial with"));
    }
  });
});

function tableOf(seen: readonly Seen[]): OutcomesTable {
  const at = (cell: Cell) =>
    seen.find(({ cell: one }) => JSON.stringify(one) === JSON.stringify(cell))?.outcome ?? null;
  return {
    name: "outcomes",
    head: ["agent", "credentials", ...JUDGES.map((judge) => `\`--transport ${judge}\``)],
    rows: AGENTS.flatMap((agent) =>
      CREDENTIALS.map((credentials) => [
        agent,
        credentials,
        ...JUDGES.map((judge) => at({ agent, credentials, judge })),
      ]),
    ),
  };
}
