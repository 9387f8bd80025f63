import type { ImprovePage, IterationPage, OverviewPage, TriggersPage } from "../domain/pages.ts";
import type { ComparePage, FeedbackPage, RunPage, TimelineEvent, TimelinePage } from "../domain/run-pages.ts";
import { evidenceText, outcomeText, points, rateText, secondsText, usageText } from "../operations/text.ts";
import { ask, runName } from "./api.ts";

/** A page as Markdown, for agents and for pasting; one that has no form of its own as JSON. */
export function markdownOf(name: string, page: unknown): string {
  const write = Object.hasOwn(PAGES, name) ? PAGES[name] : undefined;
  const text = write === undefined ? fenced(JSON.stringify(page, null, 2), "json") : write(page as never);
  return `${text.trimEnd()}\n`;
}

const PAGES: Readonly<Record<string, (page: never) => string>> = {
  overview: overviewText,
  iteration: iterationText,
  triggers: triggersText,
  improve: improveText,
  run: runText,
  timeline: timelineText,
  compare: compareText,
  feedback: feedbackText,
};

function overviewText({ results, skills, problems }: OverviewPage): string {
  const rows = skills.flatMap(({ skill, name, iterations }) =>
    iterations.map((line) => [
      link(`${plain(name)} #${line.n}`, ask.iteration({ skill, n: line.n })),
      plain(line.headline ?? line.progress),
      plain(line.harness),
      plain(line.model ?? "default"),
      String(line.runs),
      line.at,
    ]),
  );
  return sections(
    `# Results in ${plain(results)}`,
    table(["iteration", "verdict", "agent", "model", "runs", "begun"], rows),
    list("Problems", problems.map(plain)),
  );
}

function iterationText({
  at,
  words,
  cases,
  compared,
  leftOut,
  notes,
  problems,
  summary,
}: IterationPage): string {
  const rows = cases.flatMap(({ caseId, name, arms, checks }) =>
    arms.flatMap(({ variant, runs }) =>
      runs.map((run) => [
        link(plain(name ?? caseId), ask.run({ ...at, trial: run.trial })),
        plain(variant),
        String(run.repetition),
        run.status,
        run.verdicts === "" ? "no checks" : run.verdicts,
        plain(
          checks
            .filter((_, index) => run.verdicts[index] === "f")
            .map(({ text }) => text)
            .join("; "),
        ),
      ]),
    ),
  );
  const flips = (compared?.flips ?? []).map(({ change, caseId, text, before, after }) =>
    plain(`${change}: ${caseId}: ${text} (${shareText(before)} -> ${shareText(after)})`),
  );
  const sentences = [words.headline, words.otherCases, words.decision].filter((text) => text !== null);
  return sections(
    `# ${plain(at.skill)} #${at.n}`,
    ...sentences.map(plain),
    table(["case", "variant", "run", "ended", "checks", "failed"], rows),
    list(`Since #${compared?.n}`, flips),
    list(
      "Left out",
      leftOut.map(({ trial, reason }) => plain(`${trial}: ${reason}`)),
    ),
    list("Alarms", (summary?.alarms ?? []).map(plain)),
    list("Notes", notes.map(plain)),
    list("Problems", problems.map(plain)),
  );
}

function shareText(passed: { readonly passed: number; readonly runs: number } | null): string {
  return passed === null ? "none" : `${passed.passed} of ${passed.runs}`;
}

function runText({ at, run, grading, prompt, answer, files, rerun }: RunPage): string {
  const checks = (grading?.verdicts ?? []).map(
    ({ status, text, reason, evidence }) =>
      `**${status}** ${plain(`${text}: ${[reason, ...evidence.map(evidenceText)].join("; ")}`)}`,
  );
  const facts = [
    run.client.name,
    `model ${run.model ?? "unknown"}`,
    secondsText(run.durationMs),
    usageText(run.usage),
  ];
  return sections(
    `# ${plain(`${runName(at)}: ${outcomeText(run.outcome)}`)}`,
    plain(facts.join(", ")),
    list("Checks", checks),
    `## Prompt\n\n${fenced(prompt ?? "(unknown)")}`,
    `## Answer\n\n${fenced(answer === null ? "(none)" : answer.text)}`,
    list(
      "Files",
      files.map(
        ({ area, path, change, bytes }) =>
          `${link(plain(path), ask.fileText(at, { area, path }))} (${change ?? area}, ${bytes} bytes)`,
      ),
    ),
    list("Notes", run.notes.map(plain)),
    `What it did: ${link("timeline", ask.timeline(at, 0))}`,
    `To run it again:\n\n${fenced(rerun)}`,
  );
}

function timelineText({ events, page }: TimelinePage): string {
  const shown = events.map((one) => `### ${stepTitle(one)}\n\n${fenced(stepText(one))}`);
  return sections(`# Timeline, page ${page}`, ...shown);
}

function stepTitle({ event, cited }: TimelineEvent): string {
  if (event === null) return "a line that cannot be read";
  const kind = event.kind === "tool-call" ? `call of ${plain(event.tool)}` : event.kind;
  return `${event.index} ${kind}${cited.length === 0 ? "" : `, cited by ${cited.map(plain).join(", ")}`}`;
}

function stepText({ event, cut }: TimelineEvent): string {
  const more = cut === 0 ? "" : `\n… ${cut} more characters`;
  switch (event?.kind) {
    case "message":
    case "thinking":
      return event.text + more;
    case "tool-result":
      return event.output + more;
    case "tool-call":
      return (typeof event.input === "string" ? event.input : JSON.stringify(event.input, null, 2)) + more;
    default:
      return JSON.stringify(event);
  }
}

function triggersText({ at, triggers }: TriggersPage): string {
  const title = `# Triggers of ${plain(at.skill)} #${at.n}`;
  if (triggers === null) return sections(title, "No query was asked.");
  const rows = triggers.queries.map(({ query, shouldTrigger, fired, status, reason }) => [
    plain(query),
    shouldTrigger ? "fire" : "stay silent",
    rateText(fired),
    status,
    plain(reason),
  ]);
  const rates = `Precision ${rateText(triggers.precision)}, recall ${rateText(triggers.recall)}.`;
  return sections(title, rates, table(["query", "should", "fired", "status", "why"], rows));
}

function improveText({ skill, adopted, versions }: ImprovePage): string {
  const parts = versions.map(({ version, parent, result, summary, diff, fresh }) =>
    sections(
      `## ${version}${parent === null ? "" : ` from ${parent}`}: ${result}`,
      plain(summary ?? ""),
      freshText(fresh),
      diff === null || diff === "" ? "" : fenced(diff, "diff"),
    ),
  );
  return sections(`# Versions of ${plain(skill)}`, `Adopted: ${adopted}.`, ...parts);
}

function freshText(fresh: ImprovePage["versions"][number]["fresh"]): string {
  if (fresh === null) return "Not confirmed with fresh runs.";
  const { verdict, lift, interval, against } = fresh;
  const range = interval === null ? "" : ` (${points(interval.low)} to ${points(interval.high)})`;
  const by = lift === null ? "" : `: ${points(lift)} points${range}`;
  return `Fresh runs against ${against}: ${verdict ?? "not over"}${by}.`;
}

function compareText({ a, b, divergence, spans, suppressed, equal }: ComparePage): string {
  const stretch = ([from, to]: readonly [number, number]) => (from === to ? "none" : `${from} to ${to - 1}`);
  return sections(
    `# ${plain(runName(a.at))} beside ${plain(runName(b.at))}`,
    divergence === null ? "They did the same." : `First divergence: ${plain(divergence.words)}`,
    `${equal} steps are equal; ${suppressed} ids and times differ and were taken as equal.`,
    table(
      ["", "events of the first", "events of the second"],
      spans.map((span) => [span.kind, stretch(span.a), stretch(span.b)]),
    ),
  );
}

function feedbackText({ at, status, reviews }: FeedbackPage): string {
  const lines = reviews.map(({ runId, feedback, checks }) => {
    const wrong = checks.filter(({ agrees }) => !agrees).map(({ checkId }) => checkId);
    const said = feedback === "" ? "nothing to say" : feedback;
    return plain(`${runId}: ${said}${wrong.length === 0 ? "" : `; disagrees on ${wrong.join(", ")}`}`);
  });
  const state = status === "complete" ? "Complete." : "Still in progress.";
  return sections(`# Feedback on ${plain(at.skill)} #${at.n}`, state, list("Runs", lines));
}

function sections(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

function list(title: string, entries: readonly string[]): string {
  return entries.length === 0 ? "" : `## ${title}\n\n${entries.map((entry) => `- ${entry}`).join("\n")}`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |`;
  return [row(heads), row(heads.map(() => "---")), ...rows.map(row)].join("\n");
}

function link(text: string, request: string): string {
  return `[${text}](/${request}${request.includes("?") ? "&" : "?"}format=md)`;
}

/** On one line, without what Markdown or HTML would make something of. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_[\]<>]/g, String.raw`\$&`);
}

/** A fence that nothing in the text can end. */
function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}
