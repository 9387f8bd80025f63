import type { Check, Claim } from "../../../domain/check.ts";
import { sentenceOf } from "../../../domain/checks/index.ts";
import type { Location } from "../../../domain/diagnostic.ts";
import type { Json } from "../../../domain/json.ts";
import { absent, exactly, occurs, pythonSpelling, unknownFlags } from "../../../lib/js-pattern.ts";
import { compilePython } from "../../../lib/python-regex/compile.ts";
import { pathProblem, pathProblemText } from "../../../lib/relative-path.ts";
import type { TellUnmapped } from "../../unmapped.ts";
import type { PluginGrader, Target } from "./grader-shape.ts";
import { firedSkill } from "./fired-skill.ts";

/** A grader with its name, and the rubric or pattern of its file's body. */
export interface NamedPluginGrader {
  readonly name: string;
  readonly grader: PluginGrader;
  readonly body: string;
  readonly at: (offset: number) => Location;
  readonly start: number;
}

export interface GraderReading {
  readonly unmapped: TellUnmapped;
  /** Values that no check carries, by field. */
  readonly left: Record<string, Json>;
  readonly refuse: (at: Location, code: string, message: string, hint: string | null) => void;
}

/** The check a grader becomes; null where it becomes none, which was told or refused. */
export function graderCheck(named: NamedPluginGrader, reading: GraderReading): Check | null {
  const { name, grader, at } = named;
  const claim = claimOf(named, reading);
  if (claim === null) return null;
  if (grader.weight !== null && grader.weight.value !== 1) {
    reading.left[`graders.${name}.weight`] = grader.weight.value;
    reading.unmapped.add({
      field: "weight",
      why: "is not used: every check counts the same",
      at: at(grader.weight.offset),
    });
  }
  const isBodyUsed = grader.type === "llm" || grader.type === "baseline" || grader.type === "regex";
  if (!isBodyUsed && named.body.trim() !== "") reading.left[`graders.${name}.body`] = named.body.trim();
  const isSkillCheck = grader.type === "tool_used" && grader.tool === "Skill";
  const isApart = grader.arm === null ? isSkillCheck : grader.arm === "with-only";
  const text = claim.kind === "criterion" ? claim.text : sentenceOf(claim);
  const layer = claim.kind === "criterion" ? "L3" : "L1";
  return {
    id: name,
    layer,
    text,
    appliesTo: isApart ? "with-skill" : "every-variant",
    origin: null,
    ...claim,
  };
}

type Made =
  | Exclude<Claim, { readonly kind: "criterion" }>
  | { readonly kind: "criterion"; readonly text: string }
  | null;

function claimOf(named: NamedPluginGrader, reading: GraderReading): Made {
  switch (named.grader.type) {
    case "regex":
      return regexClaim(named, reading);
    case "tool_used":
      return toolClaim(named, reading);
    case "tool_order":
      return orderClaim(named, reading);
    case "file_exists":
      return fileClaim(named, reading);
    case "llm":
      return rubricClaim(named, reading);
    case "baseline":
      return baselineClaim(named, reading);
  }
}

function regexClaim(named: NamedPluginGrader, reading: GraderReading): Made {
  const { grader, body, name } = named;
  const source = grader.pattern?.value ?? body.trim();
  if (source === "") return missing(named, "pattern", reading);
  const unknown = unknownFlags(grader.flags?.value ?? "");
  if (unknown !== "" && grader.flags !== null) {
    const message = `the grader ${JSON.stringify(name)} has the unknown flags ${JSON.stringify(unknown)}`;
    reading.refuse(named.at(grader.flags.offset), "bad-regex", message, "flags: d, g, i, m, s, u, v, y");
    return null;
  }
  const spelling = pythonSpelling(source, grader.flags?.value ?? "");
  const match = grader.match ?? "contains";
  const pattern =
    match === "contains" ? occurs(spelling) : match === 0 ? absent(spelling) : exactly(match, spelling);
  const offset = grader.pattern?.offset ?? named.start;
  if (!isPattern(pattern, named, offset, reading)) return null;
  const target: Target = grader.target?.value ?? { source: "last_message" };
  switch (target.source) {
    case "last_message":
      return { kind: "regex", pattern };
    case "file":
      return isPath(target.path, named, reading)
        ? { kind: "file_matches", path: target.path, pattern }
        : null;
    default:
      reading.left[`graders.${name}`] = { type: "regex", pattern: source, target: target.source };
      reading.unmapped.add({
        field: `a regex grader with target ${target.source}`,
        why: "is not carried over: patterns are searched in the answer or in a file",
        at: named.at(grader.target?.offset ?? named.start),
        hint: TARGET_HINTS[target.source],
      });
      return null;
  }
}

const TARGET_HINTS = {
  trace: "use tool_used for calls, or an llm grader for the rest",
  files: "use file_exists for paths the agent makes",
  mock_calls: "mocked servers are not played",
} as const;

function toolClaim(named: NamedPluginGrader, reading: GraderReading): Made {
  const { grader, at } = named;
  const { tool, min, max } = grader;
  if (tool === null) return missing(named, "tool", reading);
  const wanted = grader.input_match;
  const pattern = wanted === null ? null : occurs(pythonSpelling(wanted.value));
  if (wanted !== null && pattern !== null && !isPattern(pattern, named, wanted.offset, reading)) return null;
  if (max?.value === 0) return { kind: "tool_not_called", tool, arguments: pattern };
  if (max !== null) {
    reading.left[`graders.${named.name}.max`] = max.value;
    const why = "is not used unless it is 0: a check asks for at least so many calls, or for none";
    reading.unmapped.add({ field: "max", why, at: at(max.offset) });
  }
  const count = min ?? 1;
  if (count === 0) {
    reading.unmapped.add({
      field: "a tool_used grader with min 0",
      why: "is not carried over: nothing could fail it",
      at: at(named.start),
    });
    reading.left[`graders.${named.name}`] = { type: "tool_used", tool, min: 0 };
    return null;
  }
  const skill = tool === "Skill" && count === 1 ? firedSkill(wanted?.value ?? null) : undefined;
  return skill === undefined
    ? { kind: "tool_called", tool, arguments: pattern, count }
    : { kind: "skill_loaded", skill };
}

function orderClaim(named: NamedPluginGrader, reading: GraderReading): Made {
  const { before, after } = named.grader;
  if (before === null) return missing(named, "before", reading);
  if (after === null) return missing(named, "after", reading);
  for (const [key, call] of Object.entries({ before, after })) {
    if (call.value.input_match === null) continue;
    reading.left[`graders.${named.name}.${key}.input_match`] = call.value.input_match;
    const why = "is not used: the order is that of the first calls of each tool";
    reading.unmapped.add({ field: "input_match of a tool_order grader", why, at: named.at(call.offset) });
  }
  return { kind: "tool_order", tools: [before.value.tool, after.value.tool] };
}

function fileClaim(named: NamedPluginGrader, reading: GraderReading): Made {
  const { path, exists } = named.grader;
  if (path === null) return missing(named, "path", reading);
  if (!isPath(path.value, named, reading)) return null;
  return { kind: exists === false ? "file_absent" : "file_exists", path: path.value };
}

function rubricClaim(named: NamedPluginGrader, reading: GraderReading): Made {
  const { grader, body, name, at } = named;
  const text = (grader.criteria ?? body).trim();
  if (text === "") return missing(named, "criteria", reading);
  const focus = grader.focus;
  if (focus !== null && focus.value.source !== "last_message") {
    reading.left[`graders.${name}.focus`] = { ...focus.value };
    const why = "is not used: the judge is shown the whole run and picks what it quotes";
    reading.unmapped.add({ field: "focus", why, at: at(focus.offset) });
  }
  return { kind: "criterion", text };
}

function baselineClaim(named: NamedPluginGrader, reading: GraderReading): Made {
  const { grader, body, name, at } = named;
  const offset = grader.baseline_file?.offset ?? named.start;
  reading.left[`graders.${name}.baseline_file`] = grader.baseline_file?.value ?? "";
  reading.unmapped.add({
    field: "baseline_file",
    why: "is not used: a judge decides on the criteria alone",
    at: at(offset),
    hint: "assay compare judges two versions against each other",
  });
  const text = (grader.criteria ?? body).trim();
  return text === "" ? null : { kind: "criterion", text };
}

function missing(
  { grader, at, start, name }: NamedPluginGrader,
  key: string,
  { refuse }: GraderReading,
): null {
  refuse(at(start), "missing-key", `the ${grader.type} grader ${JSON.stringify(name)} has no ${key}`, null);
  return null;
}

function isPattern(
  pattern: string,
  named: NamedPluginGrader,
  offset: number,
  { refuse }: GraderReading,
): boolean {
  const compiled = compilePython(pattern);
  if (compiled.ok) return true;
  const message = `the pattern of grader ${JSON.stringify(named.name)} is not a regular expression: ${compiled.message}`;
  refuse(named.at(offset), "bad-regex", message, "JavaScript syntax is expected, without slashes around it");
  return false;
}

function isPath(path: string, named: NamedPluginGrader, { refuse }: GraderReading): boolean {
  const problem = pathProblem(path);
  if (problem === null) return true;
  const offset = named.grader.path?.offset ?? named.grader.target?.offset ?? named.start;
  const message = `the path of grader ${JSON.stringify(named.name)} ${pathProblemText(problem)}: ${JSON.stringify(path)}`;
  refuse(named.at(offset), "bad-path", message, "give a path relative to the workspace");
  return false;
}
