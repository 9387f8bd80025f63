import {
  clip,
  limitText,
  money,
  padTo,
  type Paint,
  painter,
  printable,
  textWidth,
  thousands,
} from "../../operations/text.ts";
import type { RunningTrial, Running, TrialStep } from "./running.ts";

export interface FrameSize {
  readonly columns: number;
  readonly rows: number;
  readonly color: boolean;
  /** Whether to begin with what was said before the first trial, because it is no longer to be seen. */
  readonly header: boolean;
}

/** The lines of a live view: what runs, how far it is, what it has cost. They never fill the whole screen. */
export function frame(
  running: Running,
  { columns, rows, color, header }: FrameSize,
  nowMs: number,
): string[] {
  const paint = painter(color);
  const width = Math.max(20, columns - 1);
  const limits = limitText(running.limits(nowMs));
  const tail = [
    ...barLines(running, { width, nowMs, paint }),
    ...paceLines(running).map((line) => paint("yellow", clip(`  ${line}`, width))),
    ...(limits === "" ? [] : [paint("yellow", clip(`  ${limits}`, width))]),
  ];
  const free = Math.max(0, Math.floor(rows) - KEPT_ROWS - tail.length);
  const head = header ? running.header.slice(0, Math.floor(free / 3)) : [];
  const room = free - head.length;
  return [
    "",
    ...head.map((line) => paint("dim", clip(line, width))),
    ...trialLines(running, { room, width, nowMs, paint }),
    ...tail,
  ];
}

/** For the first, blank line, and for two of what was printed before. */
const KEPT_ROWS = 4;

interface Around {
  readonly width: number;
  readonly nowMs: number;
  readonly paint: Paint;
}

function trialLines({ trials, prepared }: Running, around: Around & { room: number }): string[] {
  const { room, width, paint } = around;
  if (trials.length === 0 && prepared > 0 && room > 0) return [paint("dim", "  preparing workspaces")];
  const isAll = trials.length <= room;
  const shown = isAll ? trials : trials.slice(0, Math.max(0, room - 1));
  const names = Math.min(
    Math.max(0, ...shown.map(({ name }) => textWidth(printable(name)))),
    Math.floor(width * 0.4),
  );
  const hidden = trials.length - shown.length;
  return [
    ...shown.map((trial) => trialLine(trial, names, around)),
    ...(hidden === 0 || room === 0 ? [] : [paint("dim", clip(`  … and ${hidden} more running`, width))]),
  ];
}

function trialLine(
  { name, startedMs, step }: RunningTrial,
  names: number,
  { width, nowMs, paint }: Around,
): string {
  const label = padTo(clip(oneLine(name), names), names);
  const head = `  ${step.kind === "waiting" ? "↻" : "•"} ${label}  ${padTo(clockText(nowMs - startedMs), 5, "right")}  `;
  return `${head}${paint("dim", clip(oneLine(stepText(step, nowMs)), width - textWidth(head)))}`;
}

function stepText(step: TrialStep, nowMs: number): string {
  switch (step.kind) {
    case "tool":
      return step.about === "" ? step.tool : `${step.tool}: ${step.about}`;
    case "waiting":
      return `retry in ${Math.max(0, Math.ceil((step.untilMs - nowMs) / 1000))} s (attempt ${step.attempt}): ${step.reason}`;
    default:
      return step.kind;
  }
}

const MOST_BAR = 24;

function barLines(running: Running, { width, nowMs, paint }: Around): string[] {
  const { done, planned, failed } = running.counts;
  const left = running.leftMs(nowMs);
  const facts = [
    `${done}/${planned} trials`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...spentText(running),
    ...tokensText(running),
    ...(running.newConcurrency === null ? [] : [`${running.newConcurrency} at once`]),
    ...(left === null || done === planned ? [] : [leftText(left)]),
  ];
  const text = facts.join("  ");
  const bar = Math.min(MOST_BAR, width - textWidth(text) - 4);
  if (bar < 4) return [clip(`  ${text}`, width)];
  const full = planned === 0 ? 0 : Math.round((done / planned) * bar);
  const color = failed === 0 ? "green" : "red";
  return [`  ${paint(color, "█".repeat(full))}${paint("dim", "░".repeat(bar - full))}  ${text}`];
}

function spentText({ spent }: Running): string[] {
  if (spent === null) return [];
  const { costUsd, maxCostUsd } = spent;
  return [maxCostUsd === null ? money(costUsd) : `${money(costUsd)} of ${money(maxCostUsd)}`];
}

function tokensText({ tokens }: Running): string[] {
  return tokens === null ? [] : [`${thousands(tokens.tokens)} of ${thousands(tokens.maxTokens)} tokens`];
}

function paceLines({ state }: Running): string[] {
  switch (state) {
    case "running":
      return [];
    case "paused":
      return ["paused: running trials finish, no new ones start (assay control resume)"];
    case "stopping":
      return ["stopping: no new trials start"];
  }
}

function leftText(ms: number): string {
  return ms < 60_000 ? "under 1 min left" : `about ${Math.round(ms / 60_000)} min left`;
}

/** `0:07`, `12:40`. */
function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function oneLine(text: string): string {
  return printable(text.replaceAll(/\s+/g, " ").trim());
}
