import type { FunctionComponent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { offered, useKeys } from "./keys.ts";
import { Boundary } from "./parts/boundary.tsx";
import { said } from "./parts/copy.tsx";
import { keysShown } from "./parts/keys-shown.ts";
import { go, hrefOf, place } from "./router.ts";
import { BlindScreen } from "./screens/blind.tsx";
import { CompareScreen } from "./screens/compare.tsx";
import { ImproveScreen } from "./screens/improve.tsx";
import { IterationScreen } from "./screens/iteration.tsx";
import { LiveScreen } from "./screens/live.tsx";
import { OverviewScreen } from "./screens/overview.tsx";
import { RunScreen } from "./screens/run.tsx";
import { SkillScreen } from "./screens/skill.tsx";
import { TriggersScreen } from "./screens/triggers.tsx";
import { isStatic } from "./source.ts";
import { TEXTS } from "./texts.ts";

const SCREENS: Readonly<Record<string, FunctionComponent>> = {
  "": OverviewScreen,
  overview: OverviewScreen,
  iteration: IterationScreen,
  run: RunScreen,
  compare: CompareScreen,
  blind: BlindScreen,
  triggers: TriggersScreen,
  improve: ImproveScreen,
  live: LiveScreen,
  skill: SkillScreen,
};

/** The frame around every screen. */
export function Shell() {
  const { screen, settings } = place.value;
  const Screen = SCREENS[screen];
  useKeys({
    "?": { does: TEXTS.keys.help, run: () => (keysShown.value = !keysShown.value) },
    Escape: { does: TEXTS.keys.back, run: back },
    "/": {
      does: TEXTS.keys.search,
      run: () => document.querySelector<HTMLElement>("input[type=search]")?.focus(),
    },
  });
  useEffect(() => {
    document.title = [settings["trial"], settings["skill"], "Assay"].filter(Boolean).join(" · ");
  }, [settings["trial"], settings["skill"]]);
  return (
    <>
      <a class="skip" href="#main" onClick={() => document.querySelector<HTMLElement>("#main")?.focus()}>
        {TEXTS.skip}
      </a>
      <header class="bar">
        <Crumbs />
        <nav aria-label={TEXTS.help}>
          {isStatic && <span class="tag">{TEXTS.report}</span>}
          <button type="button" class="plain quiet" onClick={() => (keysShown.value = true)}>
            <kbd>?</kbd> <span class="hint">{TEXTS.keysTitle}</span>
          </button>
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        <Boundary
          of={TEXTS.thisPage}
          key={`${screen}?${settings["skill"]}@${settings["n"]}/${settings["trial"]}`}
        >
          {Screen === undefined ? <p class="empty">{TEXTS.noSuchPage}</p> : <Screen />}
        </Boundary>
      </main>
      {keysShown.value && <Keys />}
      {said.value !== "" && (
        <p class="said" role="status">
          {said.value}
        </p>
      )}
    </>
  );
}

function Crumbs() {
  const { screen, settings } = place.value;
  const { skill, n, trial } = settings;
  return (
    <nav class="crumbs" aria-label={TEXTS.whereYouAre}>
      <a class="name" href={hrefOf("overview")}>
        Assay
      </a>
      {skill !== undefined && n === undefined && <span>{skill}</span>}
      {skill !== undefined && n !== undefined && (
        <a href={hrefOf("iteration", { skill, n })}>
          {skill} #{n}
        </a>
      )}
      {trial !== undefined && <span class="cut">{trial}</span>}
      {screen in TEXTS.screens && <span>{TEXTS.screens[screen as keyof typeof TEXTS.screens]}</span>}
    </nav>
  );
}

/** One level up. */
function back(): void {
  if (keysShown.peek()) {
    keysShown.value = false;
    return;
  }
  const { screen, settings } = place.peek();
  const { skill = "", n = "" } = settings;
  if (screen === "overview" || screen === "") return;
  if (screen === "iteration" || n === "") go(hrefOf("overview"));
  else go(hrefOf("iteration", { skill, n }));
}

function Keys() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={() => (keysShown.value = false)} aria-labelledby="keys-title">
      <h2 id="keys-title">{TEXTS.keysTitle}</h2>
      <table>
        <tbody>
          {offered().map(([key, action]) => (
            <tr key={key}>
              <td>
                <kbd>{key === "Escape" ? "esc" : key.toLowerCase() === key ? key : key.toLowerCase()}</kbd>
              </td>
              <td>{action.does}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <button type="button" onClick={() => dialog.current?.close()}>
          {TEXTS.close}
        </button>
      </p>
    </dialog>
  );
}
