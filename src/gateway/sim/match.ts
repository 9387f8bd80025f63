import type { SimReply, ScriptRule, SimScript, TextTest, When, SimFault } from "./script.ts";
import { NO_FAULT } from "./script.ts";
import { type Scene, wholeText } from "./scene.ts";
import { meansTool } from "./tools.ts";

/** What the script does with one request. */
interface Choice {
  readonly rule: string;
  /** Null when a rule only has a fault. */
  readonly reply: SimReply | null;
  readonly fault: SimFault;
}

/** Chooses answers and counts how often each rule was used. */
export interface Chooser {
  choose(scene: Scene, request: { readonly path: string }): Choice | null;
}

export function chooser(script: SimScript): Chooser {
  const used = new Map<string, number>();
  return {
    choose(scene, { path }) {
      const conversation = scene.ask.conversation ?? `${scene.wire} ${opening(scene)}`;
      for (const [index, rule] of script.rules.entries()) {
        const key = rule.per === "server" ? `${index}` : `${index} ${path} ${conversation}`;
        const times = used.get(key) ?? 0;
        if (rule.times !== null && times >= rule.times) continue;
        const reply = replyOf(rule, scene);
        if (reply === undefined || !applies(rule, scene, path)) continue;
        used.set(key, times + 1);
        return { rule: rule.name, reply, fault: rule.fault };
      }
      const reply = scene.side ? undefined : script.replies[scene.responses];
      return reply === undefined ? null : { rule: `reply ${scene.responses + 1}`, reply, fault: NO_FAULT };
    },
  };
}

/** Undefined when the rule's steps are used up. */
function replyOf(rule: ScriptRule, scene: Scene): SimReply | null | undefined {
  switch (rule.play.kind) {
    case "reply":
      return rule.play.reply;
    case "steps":
      return rule.play.steps[scene.step - 1];
    case "fault-only":
      return null;
  }
}

function applies(rule: ScriptRule, scene: Scene, path: string): boolean {
  if (rule.side) return rule.when === null ? scene.side : holds(rule.when, scene, path);
  return !scene.side && (rule.when === null || holds(rule.when, scene, path));
}

function holds(when: When, scene: Scene, path: string): boolean {
  const { ask } = scene;
  const result = scene.results.map((found) => found.text).join("\n");
  return (
    same(when.turn, scene.turn) &&
    same(when.step, scene.step) &&
    same(when.wire, scene.wire) &&
    same(when.subagent, ask.subagent) &&
    same(when.structured, ask.structured.via !== "none") &&
    same(
      when.toolFailed,
      scene.results.some((found) => found.isError),
    ) &&
    reads(when.userText, () => scene.userText) &&
    reads(when.system, () => ask.system) &&
    reads(when.model, () => ask.model) &&
    reads(when.path, () => path) &&
    reads(when.anywhere, () => wholeText(ask)) &&
    (when.toolResult === null || (scene.results.length > 0 && reads(when.toolResult, () => result))) &&
    among(
      when.afterTool,
      scene.results.map((found) => found.tool ?? ""),
    ) &&
    among(
      when.offersTool,
      ask.tools.map((tool) => tool.name),
    ) &&
    (when.skillListed === null || scene.skills.includes(when.skillListed)) &&
    (when.skillMissing === null || !scene.skills.includes(when.skillMissing))
  );
}

function same<T>(wanted: T | null, found: T): boolean {
  return wanted === null || wanted === found;
}

function among(wanted: string | null, tools: readonly string[]): boolean {
  return wanted === null || tools.some((tool) => meansTool(wanted, tool));
}

function reads(test: TextTest | null, text: () => string): boolean {
  if (test === null) return true;
  const found = text();
  return (
    (test.contains === null || found.includes(test.contains)) &&
    (test.not === null || !found.includes(test.not)) &&
    (test.equals === null || found === test.equals) &&
    (test.regex === null || test.regex.test(found))
  );
}

function opening(scene: Scene): string {
  const first = scene.ask.entries.find((entry) => entry.kind === "user");
  return first?.kind === "user" ? first.text : "";
}
