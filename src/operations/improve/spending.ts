import type { Usage } from "../../domain/run.ts";
import { addUsage } from "../../domain/usage.ts";
import type { JudgeFinder } from "../../engine/models/judges.ts";
import type { Judge } from "../../grade/judge.ts";
import { memo } from "../../lib/memo.ts";
import type { VersionsCall } from "./open-versions.ts";

/** What one call used; what earlier calls had run or asked is not in it. */
export interface CallSpending {
  /** Null: no agent ran. */
  readonly agents: Usage | null;
  /** For grading, drafting, comparing and analyzing. Null: no judge was asked. */
  readonly judges: Usage | null;
}

export interface MeteredCall extends VersionsCall {
  readonly spent: () => CallSpending;
}

/** The same call, which keeps account of what its agents and judges use. */
export function metered(call: VersionsCall): MeteredCall {
  const { request, models } = call;
  let spending: CallSpending = { agents: null, judges: null };
  const add = (who: keyof CallSpending, usage: Usage): void => {
    const before = spending[who];
    const isKnown = Object.values(usage).some((part) => part !== null);
    if (isKnown || who === "agents")
      spending = { ...spending, [who]: before === null ? usage : addUsage(before, usage) };
  };
  const graded = meteredGrade(models.grade, (usage) => add("judges", usage));
  return {
    ...call,
    request: {
      ...request,
      grade: request.grade === null ? null : graded,
      reporter: {
        ...request.reporter,
        event(event, iteration) {
          if (event.kind === "trial-finished" && event.run.reusedFrom === null)
            add("agents", event.run.usage);
          request.reporter.event(event, iteration);
        },
      },
    },
    models: {
      ...models,
      grade: graded,
      find: meteredFinder(models.find, (usage) => add("judges", usage)),
    },
    spent: () => spending,
  };
}

type Grade = VersionsCall["models"]["grade"];

function meteredGrade(grade: Grade, add: (usage: Usage) => void): Grade {
  return async (subject, signal) => {
    const grading = await grade(subject, signal);
    add(grading.usage);
    return grading;
  };
}

/** What grades has its own judges, so nothing is counted twice. */
function meteredFinder(find: JudgeFinder, add: (usage: Usage) => void): JudgeFinder {
  const meteredJudge = memo((judge: Judge): Judge => ({
    name: judge.name,
    model: judge.model,
    ...(judge.transport !== undefined && { transport: judge.transport }),
    ...(judge.takesImages !== undefined && { takesImages: judge.takesImages }),
    async ask(question, signal) {
      const answer = await judge.ask(question, signal);
      add(answer.usage);
      return answer;
    },
  }));
  const one: (...asked: Parameters<JudgeFinder>) => Judge | null = (...asked) => {
    const judge = find(...asked);
    return judge === null ? null : meteredJudge(judge);
  };
  return Object.assign(one, {
    panel: (asked: Parameters<JudgeFinder>[0]) => find.panel(asked).map(meteredJudge),
    missing: find.missing,
    choices: find.choices,
    ...(find.prompts !== undefined && { prompts: find.prompts }),
  });
}
