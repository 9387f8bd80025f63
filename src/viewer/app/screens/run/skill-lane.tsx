import type { RunPage } from "../../../../domain/run-pages.ts";
import type { Variant } from "../../../../domain/trial.ts";
import { Mark } from "../../parts/mark.tsx";
import { Panel } from "../../parts/panel.tsx";
import { adjust } from "../../router.ts";
import { TEXTS } from "../../texts.ts";

/** Arms in which agents are told of the skill; in the others it must not be there. */
const WITH_SKILL: ReadonlySet<Variant> = new Set(["with_skill", "new_skill", "old_skill"]);

/** What became of the skill: listed, taken up, and which of its files were used. */
export function SkillLane({ page }: { readonly page: RunPage }) {
  const { skill } = page;
  const { offered } = skill;
  const isExpected = WITH_SKILL.has(page.trial.variant);
  return (
    <Panel title={TEXTS.lane.title} flush>
      <p class="row">
        <Mark kind={offered === null ? "left-out" : offered === isExpected ? "passed" : "failed"} />
        <span>
          {offered === null ? TEXTS.lane.unseen : offered ? TEXTS.lane.listed : TEXTS.lane.notListed}
        </span>
      </p>
      {skill.activations.map((activation, at) => (
        <p key={at} class="row">
          <Mark kind="passed" />
          <span>{TEXTS.lane.activated(activation.skill, activation.by)}</span>
        </p>
      ))}
      {skill.activations.length === 0 && <p class="row quiet">{TEXTS.lane.notActivated}</p>}
      {skill.files.map((file) => (
        <p key={file.path} class="row">
          <span class="mono cut">{file.path}</span>
          <span class="marks">
            {file.events.slice(0, 8).map((event) => (
              <button
                key={event}
                type="button"
                class="plain small quiet"
                onClick={() => adjust({ event, quote: null })}
              >
                {TEXTS.sources.step(event)}
              </button>
            ))}
          </span>
        </p>
      ))}
    </Panel>
  );
}
