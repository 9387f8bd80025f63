import { useMemo } from "preact/hooks";
import type { RunPage } from "../../../domain/run-pages.ts";
import { ask } from "../../api.ts";
import { count, money, seconds } from "../format.ts";
import { useKeys } from "../keys.ts";
import { Boundary } from "../parts/boundary.tsx";
import { CopyButton } from "../parts/copy.tsx";
import { Mark } from "../parts/mark.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { go, hrefOf, setting } from "../router.ts";
import { addressOfBytes, useAnswer } from "../source.ts";
import { TEXTS } from "../texts.ts";
import { markOfRun } from "../verdicts.ts";
import { runName } from "../../api.ts";
import { addressed } from "./iteration.tsx";
import { Answer, About } from "./run/about.tsx";
import { Checks } from "./run/checks.tsx";
import { FeedbackBox } from "./run/feedback.tsx";
import { Files } from "./run/files.tsx";
import { SkillLane } from "./run/skill-lane.tsx";
import { Timeline } from "./run/timeline.tsx";
import { useFeedback } from "./run/use-feedback.ts";

/** One run: what the agent did, what was found in it, and on what that rests. */
export function RunScreen() {
  const at = { ...addressed(), trial: setting("trial") };
  const page = useAnswer(ask.run(at));
  return <Waiting of={page}>{(answer) => <RunView page={answer} />}</Waiting>;
}

function RunView({ page }: { readonly page: RunPage }) {
  const { at, trial, siblings } = page;
  const feedback = useFeedback(at, page.feedbackId);
  const here = siblings.indexOf(trial.id);
  const step = (by: number) => {
    const next = siblings[here + by];
    if (next !== undefined) go(hrefOf("run", { ...at, trial: next }));
  };
  useKeys({
    "[": { does: TEXTS.keys.previousRun, run: () => step(-1) },
    "]": { does: TEXTS.keys.nextRun, run: () => step(1) },
    c: { does: TEXTS.keys.compareRun, run: () => go(compareHref(page)) },
  });
  return (
    <>
      <Head page={page} />
      <div class="run">
        <Boundary of={TEXTS.timeline.title}>
          <Timeline page={page} />
        </Boundary>
        <div class="side">
          {[Checks, Answer, Files, FeedbackBox, SkillLane, About].map((Part) => (
            <Boundary key={Part.name} of={TEXTS.thisPart}>
              <Part page={page} feedback={feedback} />
            </Boundary>
          ))}
        </div>
      </div>
    </>
  );
}

function Head({ page }: { readonly page: RunPage }) {
  const { run, trial, at } = page;
  const letters = useMemo(
    () => (page.grading?.verdicts ?? []).map(({ status }) => status[0] ?? "-").join(""),
    [page],
  );
  const failed = letters.split("f").length - 1;
  const mark = markOfRun({ status: run.outcome.status, verdicts: letters });
  const tokens =
    (run.usage.inputTokens ?? 0) + (run.usage.outputTokens ?? 0) + (run.usage.cacheReadTokens ?? 0);
  const raw = addressOfBytes(ask.raw(at));
  return (
    <>
      <div class="head">
        <h1>
          <Mark kind={mark} /> {page.caseName ?? trial.caseId}
        </h1>
        <span class="facts">
          {[
            TEXTS.variants[trial.variant],
            TEXTS.run.repetition(trial.repetition, page.siblings.length),
            TEXTS.run.failed(failed, letters.length),
            [run.client.name, run.client.version].filter(Boolean).join(" "),
            run.model,
            seconds(run.durationMs),
            tokens === 0 ? null : TEXTS.run.tokens(count(tokens)),
            run.usage.costUsd === null ? null : money(run.usage.costUsd),
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </div>
      <Outcome page={page} />
      <div class="tools">
        <CopyButton text={page.rerun} label={TEXTS.run.copyCommand} />
        <CopyButton text={page.asPrompt} label={TEXTS.run.copyPrompt} />
        <a class="button" href={compareHref(page)}>
          {TEXTS.run.compare}
        </a>
        {raw !== null && (
          <a class="button" href={raw} download={`${trial.id.replaceAll("/", "-")}.jsonl`}>
            {TEXTS.run.raw}
          </a>
        )}
      </div>
    </>
  );
}

function Outcome({ page }: { readonly page: RunPage }) {
  const { outcome, validity, replay } = page.run;
  const words = [
    outcome.status === "completed"
      ? null
      : TEXTS.run.ended(outcome.status, "message" in outcome ? outcome.message : null),
    validity.status === "verified" ? null : TEXTS.run.validity(validity.reason),
    replay?.difference ?? null,
  ].filter((sentence) => sentence !== null);
  if (words.length === 0) return null;
  return (
    <section class={`verdict ${outcome.status === "completed" ? "unsettled" : "failed"}`}>
      {words.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </section>
  );
}

/** With the same repetition without the skill, or with the next one. */
function compareHref({ at, trial, siblings }: RunPage): string {
  const other = TEXTS.otherArm[trial.variant];
  const next = siblings.find((id) => id !== trial.id);
  const partner =
    other === null ? (next ?? trial.id) : trial.id.replace(`/${trial.variant}/`, () => `/${other}/`);
  return hrefOf("compare", {
    skill: at.skill,
    n: at.n,
    a: runName(at),
    b: runName({ ...at, trial: partner }),
  });
}
