import type { SkillLine, SkillPage } from "../../../domain/pages.ts";
import { ask } from "../../api.ts";
import { Panel } from "../parts/panel.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { useAnswer } from "../source.ts";
import { TEXTS } from "../texts.ts";
import { addressed } from "./iteration.tsx";

/** Which parts of the skill did anything? */
export function SkillScreen() {
  const page = useAnswer(ask.skill(addressed()));
  return <Waiting of={page}>{(answer) => <SkillView page={answer} />}</Waiting>;
}

function SkillView({ page }: { readonly page: SkillPage }) {
  const silent = page.lines.filter(({ runs }) => runs === 0).length;
  const telling = page.lines.filter(({ runs }) => runs !== null).length;
  return (
    <>
      <div class="head">
        <h1>{TEXTS.skill.title(page.at.skill)}</h1>
        <span class="facts">{TEXTS.skill.facts(page.runs, page.listed, page.loaded)}</span>
      </div>
      <section class="verdict">
        <p>{TEXTS.skill.summary(telling - silent, telling)}</p>
        <p class="quiet">{TEXTS.skill.meaning}</p>
        {page.skipped > 0 && <p class="quiet">{TEXTS.skill.skipped(page.skipped)}</p>}
      </section>
      {page.files.length > 0 && (
        <Panel title={TEXTS.skill.files(page.files.length)} facts={TEXTS.skill.filesLegend} flush>
          <div class="lines skill-lines">
            {page.files.map((file) => (
              <Line
                key={file.path}
                line={{ ...file, text: file.path, words: [] }}
                number={null}
                of={page.runs}
              />
            ))}
          </div>
        </Panel>
      )}
      <Panel title="SKILL.md" facts={TEXTS.skill.legend} flush>
        {page.lines.length === 0 && <p class="row quiet">{TEXTS.skill.notKept}</p>}
        <div class="lines skill-lines">
          {page.lines.map((line, at) => (
            <Line key={at} line={line} number={at + 1} of={page.runs} />
          ))}
        </div>
      </Panel>
    </>
  );
}

function Line({
  line,
  number,
  of,
}: {
  readonly line: SkillLine;
  /** Null: it is none of a text. */
  readonly number: number | null;
  readonly of: number;
}) {
  const { runs, words, text } = line;
  const title = words.length === 0 ? "" : TEXTS.skill.words(words);
  return (
    <div class={`used-${shade(runs, of)}`} title={title}>
      <span class="at">{number}</span>
      <span class="number quiet">{runs === null ? "" : `${runs}/${of}`}</span>
      <span class="text">{text}</span>
    </div>
  );
}

/** In no run, some, most; a line that could leave no trace has no shade. */
function shade(runs: number | null, of: number): string {
  if (runs === null) return "untold";
  if (runs === 0) return "0";
  return runs * 2 < of ? "1" : runs < of ? "2" : "3";
}
