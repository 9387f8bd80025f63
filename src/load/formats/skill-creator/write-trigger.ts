import type { Json, JsonObject } from "../../../domain/json.ts";
import type { Case } from "../../../domain/suite.ts";
import { ASSAY_KEY } from "../../assay-key.ts";
import { writeAssayKey } from "../../write-assay-key.ts";
import { nameOf, spellingOf } from "./spelling.ts";

/** What one case becomes, and what it loses. */
export interface WrittenCase {
  readonly entry: Json;
  readonly losses: readonly string[];
}

/** One query, under the keys its author used. */
export function triggerEntry(
  evalCase: Case,
  { extras, fileKey }: { extras: JsonObject; fileKey: JsonObject | null },
): WrittenCase {
  const spelling = evalCase.format === "skill-creator" ? spellingOf(evalCase.extras) : {};
  const fires = evalCase.checks.find((check) => check.kind === "fires");
  const turns = evalCase.prompt.kind === "turns" ? evalCase.prompt.turns : [evalCase.prompt.args];
  const query = turns.join("\n\n");
  if (spelling["plain"] === true) return { entry: query, losses: [] };
  const expected = fires?.kind === "fires" ? fires.expected : true;
  const route = spelling["route"] ?? null;
  const forbid = spelling["forbid"] ?? [];
  const assay = writeAssayKey(withoutDeclaredRoute(evalCase, { route, forbid }), {
    hosts: (check) => check.kind === "fires",
    fileKey,
  });
  const entry: JsonObject = {
    ...(evalCase.declaredId === null ? {} : { id: evalCase.declaredId }),
    ...(evalCase.name === null ? {} : { name: evalCase.name }),
    [nameOf(spelling, "query")]: query,
    ...(spelling["should_trigger"] === null ? {} : { [nameOf(spelling, "should_trigger")]: expected }),
    ...("skill" in spelling ? { [nameOf(spelling, "skill")]: route } : {}),
    ...("forbidden" in spelling ? { [nameOf(spelling, "forbidden")]: forbid } : {}),
    ...extras,
    ...(assay.key === null ? {} : { [ASSAY_KEY]: assay.key }),
  };
  return {
    entry,
    losses: assay.losses.map((noun) => `case ${evalCase.id}: skill-creator cannot express ${noun}`),
  };
}

/** The file around the queries: a bare list, a wrapped one, or lists whose names are the labels. */
export function triggerList(
  queries: readonly { readonly entry: Json; readonly extras: JsonObject }[],
  { head, spelling }: { head: JsonObject; spelling: JsonObject },
): Json {
  const lists = spelling["queries"];
  const entries = queries.map(({ entry }) => entry);
  if (Array.isArray(lists)) {
    const grouped = lists
      .map(String)
      .map((key): [string, Json] => [
        key,
        queries.filter(({ extras }) => spellingOf(extras)["group"] === key).map(({ entry }) => entry),
      ]);
    return { ...head, ...Object.fromEntries(grouped) };
  }
  if (typeof lists === "string") return { ...head, [lists]: entries };
  return entries;
}

/** The case with only the routing that its own keys do not say, for the `assay` key. */
function withoutDeclaredRoute(evalCase: Case, declared: { route: Json; forbid: Json }): Case {
  const same = (first: Json, second: Json) => JSON.stringify(first) === JSON.stringify(second);
  return {
    ...evalCase,
    checks: evalCase.checks.map((check) =>
      check.kind === "fires"
        ? {
            ...check,
            skill: same(check.skill, declared.route) ? null : check.skill,
            forbidden: same(check.forbidden, declared.forbid) ? [] : check.forbidden,
          }
        : check,
    ),
  };
}
