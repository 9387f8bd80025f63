import { expect, it } from "vitest";
import { aCase } from "../../test/support/cases.ts";
import type { Case } from "../domain/suite.ts";
import { NO_SETTINGS } from "../domain/suite.ts";
import { changedInputs } from "../gateway/cassette/cassette.ts";
import type { Determinants } from "../domain/plan.ts";
import { cassetteHeader } from "./cassette-header.ts";

const TRIAL = {
  id: "1/with_skill/run-1",
  key: "k",
  caseId: "1",
  variant: "with_skill",
  repetition: 1,
} as const;
const DETERMINANTS: Determinants = {
  client: "claude 2.1.197",
  options: "o",
  project: "j",
  skill: { with_skill: "s" },
  cases: { "1": "f" },
};

function header(one: Partial<Case> = {}, determinants: Partial<Determinants> = {}) {
  return cassetteHeader(TRIAL, aCase(one), {
    suite: { name: "demo" },
    harness: "claude-code",
    model: null,
    determinants: { ...DETERMINANTS, ...determinants },
    client: { name: "claude", version: "2.1.197" },
  });
}

it.each<[string, Partial<Case>, Partial<Determinants>]>([
  ["skill", {}, { skill: { with_skill: "s2" } }],
  ["files", {}, { cases: { "1": "f2" } }],
  ["project", {}, { project: "j2" }],
  ["options", {}, { options: "o2" }],
  ["prompt", { prompt: { kind: "turns", turns: ["Do it well"] } }, {}],
  ["prompt", { settings: { ...NO_SETTINGS, systemPrompt: "Be brief." } }, {}],
  ["scripts", { setup: "touch x" }, {}],
  ["MCP servers", { mcpServers: { probe: { command: "node" } } }, {}],
])("a changed %s is called so", (name, one, determinants) => {
  expect(changedInputs(header(), header(one, determinants))).toBe(`changed since it was recorded: ${name}`);
});

it("checks and another version of the client change nothing", () => {
  const other = header({ checks: [], expectedOutput: "other" }, { client: "claude 2.1.325" });
  expect(changedInputs(header(), other)).toBeNull();
});
