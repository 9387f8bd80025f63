import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cell, runCell } from "../field/cell.ts";
import { outcomeOf } from "../field/outcome.ts";
import { GOOD, type StrictService, strictService } from "../field/strict-service.ts";
import { builtCommand } from "../support/built-command.ts";
import { textBelow } from "../support/text-below.ts";
import { claude, codexClient, laterClaude } from "./support/clients.ts";

let command: Awaited<ReturnType<typeof builtCommand>>;
let service: StrictService;
beforeAll(async () => {
  command = await builtCommand();
  service = await strictService();
}, 60_000);
afterAll(async () => {
  await command[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const codex = await codexClient();

describe.each([
  { name: "claude", agent: "claude", client: await claude() },
  { name: "a later claude", agent: "claude", client: await laterClaude() },
  { name: "codex", agent: "codex", client: codex },
] as const)("the real $name", ({ agent, client }) => {
  it
    .skipIf(!client.installed)
    .each<Cell["credentials"]>(
      agent === "claude" ? ["credentials file", "OAuth token"] : ["credentials file"],
    )("works and judges on its login, by %s", async (credentials) => {
    const clients = { claude: client.program, codex: codex.program };
    const cell = { agent, credentials, judge: "auto" } as const;
    await using ran = await runCell(cell, { command: command.path, url: service.url, clients });
    expect(`${await outcomeOf(ran)} ${ran.err}`).toMatch(`runs; judged by \`${agent}\``);
    const kept = await textBelow(ran.project.path(".assay"));
    for (const secret of Object.values(GOOD)) expect(kept).not.toContain(secret);
  });
});
