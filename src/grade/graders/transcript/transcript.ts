import { isSameSkill } from "../../../domain/skill.ts";
import type { Evidence } from "../../../domain/verdict.ts";
import { compilePython } from "../../../lib/python-regex/compile.ts";
import type { SafeRegex } from "../../../lib/safe-regex/safe-regex.ts";
import { type CheckOf, codeGrader } from "../../code-grader.ts";
import { type Decision, failed, measure, passed, unscored } from "../../decision.ts";
import type { Grader } from "../../grader.ts";
import type { Subject } from "../../subject.ts";
import { argumentTexts, type Call, quoteCall, readCalls } from "./calls.ts";
import { isSameTool } from "./tool-names.ts";

/** Checks on what the agent did. */
export function transcriptGrader({ regex }: { readonly regex: SafeRegex }): Grader {
  return codeGrader<"transcript", Opened>({
    name: "transcript",
    reads: "transcript",
    async open(subject) {
      let calls: Promise<readonly Call[]> | null = null;
      return { subject, regex, calls: () => (calls ??= readCalls(subject)) };
    },
    decisions: {
      tool_called: decideCalled,
      tool_not_called: decideCalled,
      tool_order: async (check, { calls }) => decideOrder(check, await calls()),
      skill_loaded: (check, { subject }) => decideLoaded(check, subject),
      no_denied_tools: async (_, { calls, subject }) => decideDenied(await calls(), subject),
    },
  });
}

interface Opened {
  readonly subject: Subject;
  readonly regex: SafeRegex;
  /** Read when the first check needs them. */
  readonly calls: () => Promise<readonly Call[]>;
}

async function decideCalled(
  check: CheckOf<"tool_called" | "tool_not_called">,
  opened: Opened,
): Promise<Decision> {
  const calls = await opened.calls();
  const ofTool = calls.filter((call) => isSameTool(check.tool, call.tool));
  const matching = await withArguments(ofTool, check.arguments, opened.regex);
  if (typeof matching === "string") return unscored(matching);
  const quotes = matching.slice(0, MOST_QUOTES).map(quoteCall);
  const what = `${check.tool}${check.arguments === null ? "" : ` with arguments that match /${check.arguments}/`}`;
  const denied = matching.filter((call) => call.denied).length;
  const found = `${what} was ${calledTimes(matching.length)}${denied === 0 ? "" : `, of which ${denied} denied`}`;
  const evidence = quotes.length > 0 ? quotes : nothingLike(ofTool, calls);
  if (check.kind === "tool_not_called") return (matching.length === 0 ? passed : failed)(found, evidence);
  return matching.length >= check.count
    ? passed(found, evidence)
    : failed(`${found}; ${check.count} wanted`, evidence);
}

const MOST_QUOTES = 5;

/** The calls whose arguments match, or why that cannot be said. */
async function withArguments(
  calls: readonly Call[],
  pattern: string | null,
  regex: SafeRegex,
): Promise<readonly Call[] | string> {
  if (pattern === null || calls.length === 0) return calls;
  const compiled = compilePython(pattern);
  if (!compiled.ok) return `the pattern cannot be used: ${compiled.message}`;
  const owners: Call[] = [];
  const texts: string[] = [];
  for (const call of calls) {
    for (const text of argumentTexts(call.input)) {
      owners.push(call);
      texts.push(text);
    }
  }
  const searched = await regex.search(compiled.regex, texts, { most: Infinity });
  if (searched.status === "stopped") return searched.reason;
  const matching = new Set(searched.matches.map((match) => owners[match.text]));
  return calls.filter((call) => matching.has(call));
}

function decideOrder({ tools }: CheckOf<"tool_order">, calls: readonly Call[]): Decision {
  const found: Call[] = [];
  for (const [index, tool] of tools.entries()) {
    // The second mention of a tool is its second call.
    const earlier = tools.slice(0, index).filter((other) => isSameTool(other, tool)).length;
    const call = calls.filter((one) => isSameTool(tool, one.tool))[earlier];
    if (call === undefined) {
      const evidence = found.length > 0 ? found.map(quoteCall) : nothingLike([], calls);
      return failed(`${tool} was ${calledTimes(earlier)}; ${earlier + 1} wanted`, evidence);
    }
    const before = found.at(-1);
    if (before !== undefined && call.index < before.index) {
      return failed(`${tool} was called before ${before.tool}`, [quoteCall(call), quoteCall(before)]);
    }
    found.push(call);
  }
  return passed(`the tools were called in this order: ${tools.join(", ")}`, found.map(quoteCall));
}

function decideLoaded(check: CheckOf<"skill_loaded">, { run, skill }: Subject): Decision {
  const wanted = check.skill ?? skill;
  if (wanted === null) return unscored("no skill is under test");
  const loaded = run.activations.find((activation) => isSameSkill(activation.skill, wanted));
  if (loaded !== undefined) {
    const source = { kind: "event", index: loaded.event } as const;
    return passed(`the agent loaded ${wanted}`, [{ kind: "quote", text: loaded.skill, source }]);
  }
  const names = [...new Set(run.activations.map((activation) => activation.skill))];
  const seen = names.length === 0 ? "no skill was loaded in the run" : `loaded: ${names.join(", ")}`;
  return failed(`the agent did not load ${wanted}`, [measure(seen)]);
}

function decideDenied(calls: readonly Call[], { run }: Subject): Decision {
  const denied = calls.filter((call) => call.denied);
  if (denied.length > 0) {
    return failed(
      `${denied.length} of ${calls.length} tool calls were denied`,
      denied.slice(0, MOST_QUOTES).map(quoteCall),
    );
  }
  if (run.denials.length > 0) {
    const names = [...new Set(run.denials.map((denial) => denial.tool))];
    const text = `denied: ${names.join(", ")}`;
    return failed(text, [measure(text)]);
  }
  const text = `none of ${calls.length} tool calls was denied`;
  return passed(text, [measure(text)]);
}

/** What was called instead, so that a wrong name shows. */
function nothingLike(ofTool: readonly Call[], calls: readonly Call[]): readonly Evidence[] {
  if (ofTool.length > 0) return ofTool.slice(0, MOST_QUOTES).map(quoteCall);
  const names = [...new Set(calls.map((call) => call.tool))];
  return [
    measure(
      names.length === 0
        ? "the run called no tool"
        : `${calls.length} tool calls, all of other tools: ${names.join(", ")}`,
    ),
  ];
}

function calledTimes(count: number): string {
  return count === 0 ? "never called" : count === 1 ? "called once" : `called ${count} times`;
}
