import type { Check } from "../../../domain/check.ts";
import type { JsonObject } from "../../../domain/json.ts";
import type { Case, EvalFile } from "../../../domain/suite.ts";
import { writeYaml } from "../../../lib/document/write-yaml.ts";
import { assayOrigin } from "../../assay-check.ts";
import { ASSAY_KEY } from "../../assay-key.ts";
import { writeAssayKey } from "../../write-assay-key.ts";
import type { Written } from "../../format.ts";
import { isLostKey, lostParts, lostWithCheck, withId } from "../../losses.ts";

/** One YAML file for each task; several are named after their cases. */
export function writeEvals(file: EvalFile): Written {
  const tasks = file.cases.filter((evalCase) => evalCase.kind === "task");
  const written = tasks.map((evalCase) => writeEval(evalCase, file));
  const losses = [...fileLosses(file), ...written.flatMap((each) => each.losses)];
  const files = written.map(({ text }, index) => ({ name: `${tasks[index]?.id}.yaml`, text }));
  return { text: files[0]?.text ?? "", losses, ...(files.length > 1 ? { files } : {}) };
}

function writeEval(evalCase: Case, file: EvalFile): { text: string; losses: readonly string[] } {
  const own = evalCase.format === "skillet";
  const split = splitChecks(evalCase.checks);
  const assay = writeAssayKey(
    { ...evalCase, checks: [...split.hosted, ...split.others] },
    { hosts: (check) => split.hosted.includes(check) },
  );
  const extras = Object.entries(evalCase.extras).filter(([key]) => key !== ASSAY_KEY);
  const kept = extras.filter(([key]) => (own ? key !== "timestamp" : key.startsWith("_")));
  const expected = toExpected(evalCase, split.criterion);
  const document: JsonObject = {
    name: evalCase.name ?? evalCase.id,
    ...(evalCase.setup === null ? {} : { setup: evalCase.setup }),
    prompt: toPrompt(evalCase, file),
    expected: expected.text,
    ...(split.assertions.length === 0 ? {} : { assertions: split.assertions }),
    ...(evalCase.teardown === null ? {} : { teardown: evalCase.teardown }),
    ...Object.fromEntries(kept),
    ...(assay.key === null ? {} : { [ASSAY_KEY]: assay.key }),
  };
  const lost = [
    ...lostParts(evalCase, ["name", "turns", "setup", "teardown", ...expected.keeps]),
    ...split.lost,
    ...assay.losses,
    ...(own ? [] : extras.filter(([key]) => isLostKey(key)).map(([key]) => `the key ${JSON.stringify(key)}`)),
  ];
  return {
    text: `timestamp: ${spellTimestamp(evalCase, own)}\n${writeYaml(document)}`,
    losses: [
      ...lost.map((noun) => `case ${evalCase.id}: Skillet cannot express ${noun}`),
      ...expected.changes.map((change) => `case ${evalCase.id}: ${change}`),
    ],
  };
}

interface Split {
  /** Becomes `expected`. */
  readonly criterion: Check | null;
  readonly assertions: readonly JsonObject[];
  /** `expected` and the assertions, under the ids they will be read back with. */
  readonly hosted: readonly Check[];
  /** For the `assay` key. */
  readonly others: readonly Check[];
  readonly lost: readonly string[];
}

function splitChecks(checks: readonly Check[]): Split {
  const native = checks.filter((check) => assayOrigin(check) === null);
  const criterion = native.find((check) => check.kind === "criterion") ?? null;
  const asserted = native.flatMap((check) => {
    const assertion = toAssertion(check);
    return assertion === null ? [] : [{ check, assertion }];
  });
  const sources = [...(criterion === null ? [] : [criterion]), ...asserted.map(({ check }) => check)];
  const hosted = [
    ...(criterion === null ? [] : [withId(criterion, "expected")]),
    ...asserted.map(({ check }, index) => withId(check, `assertion-${index + 1}`)),
  ];
  const taken = new Set(["expected", ...hosted.map((check) => check.id)]);
  const others = checks
    .filter((check) => !sources.includes(check))
    .map((check) => (taken.has(check.id) ? withId(check, `other-${check.id}`) : check));
  return {
    criterion,
    assertions: asserted.map(({ assertion }) => assertion),
    hosted,
    others,
    lost: sources.flatMap((check) => lostWithCheck(isOwnOrigin(check) ? { ...check, origin: null } : check)),
  };
}

/** The entry that reads back as the same claim; null when there is none. */
function toAssertion(check: Check): JsonObject | null {
  switch (check.kind) {
    case "contains":
    case "not_contains":
    case "starts_with":
    case "ends_with":
      return check.ignoreCase && check.needle !== "" ? entry(check, check.needle) : null;
    case "regex":
      return check.pattern === "" ? null : entry(check, check.pattern);
    case "tool_called":
      return check.arguments === null && check.count === 1 ? entry(check, check.tool) : null;
    case "tool_not_called":
      return check.arguments === null ? entry(check, check.tool) : null;
    default:
      return null;
  }
}

function entry(check: Check, value: string): JsonObject {
  return isOwnOrigin(check) ? (check.origin as JsonObject) : { type: check.kind, value };
}

function isOwnOrigin(check: Check): boolean {
  const { origin } = check;
  if (origin === null || typeof origin !== "object" || Array.isArray(origin)) return false;
  return (origin as JsonObject)["type"] === check.kind && "value" in origin;
}

function toExpected(
  evalCase: Case,
  criterion: Check | null,
): { text: string; keeps: readonly "expected-output"[]; changes: readonly string[] } {
  if (criterion !== null) return { text: criterion.text, keeps: [], changes: [] };
  const described = evalCase.expectedOutput ?? "";
  if (described.trim() !== "") {
    return {
      text: described,
      keeps: ["expected-output"],
      changes: ["the expected output becomes a scored criterion"],
    };
  }
  return {
    text: "Does what the prompt asks for.",
    keeps: [],
    changes: ["Skillet requires a criterion, so a general one is added"],
  };
}

function toPrompt({ prompt }: Case, file: EvalFile): string | readonly string[] {
  if (prompt.kind === "invocation") {
    const command = file.skillName === null ? "" : `/${file.skillName}`;
    return `${command} ${prompt.args}`.trim() || "Run the skill.";
  }
  const [first, ...more] = prompt.turns;
  return first !== undefined && more.length === 0 ? first : prompt.turns;
}

/** Other formats have no timestamp; the clock is not ours to read, and an invented day would look true. */
const NO_TIMESTAMP = "1970-01-01T00:00:00Z";

function spellTimestamp({ extras }: Case, own: boolean): string {
  const written = own ? extras["timestamp"] : NO_TIMESTAMP;
  const spelled = typeof written === "string" ? written : NO_TIMESTAMP;
  return /^\d{4}-[\dTtZ:+. -]*\S$/.test(spelled) ? spelled : JSON.stringify(spelled);
}

function fileLosses(file: EvalFile): readonly string[] {
  const triggers = file.cases.filter((evalCase) => evalCase.kind === "trigger");
  const keys = Object.keys(file.extras).filter((key) => key !== ASSAY_KEY);
  return [
    ...(file.cases.length === triggers.length ? ["there is no task to write"] : []),
    ...triggers.map((evalCase) => `case ${evalCase.id}: Skillet cannot express a trigger query; left out`),
    ...(file.skillName === null
      ? []
      : [`Skillet cannot express the skill's name ${JSON.stringify(file.skillName)}`]),
    ...(file.description === null ? [] : ["Skillet cannot express the description of a whole file"]),
    ...keys.map((key) => `Skillet cannot express the file's key ${JSON.stringify(key)}`),
  ];
}
