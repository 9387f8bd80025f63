import type { AboutToRun } from "../../machine.ts";
import type { Reporter } from "../../operations/reporters.ts";
import type { Screen } from "../screen.ts";
import { frame } from "./frame.ts";
import { Running } from "./running.ts";

/** Draws what is going on while it does; what is printed meanwhile stays above. */
export interface LiveView {
  readonly reporter: Reporter;
  /** Told what is about to run. */
  readonly expect: (about: AboutToRun) => void;
  /** Leaves the screen to what is printed next. */
  readonly stop: () => void;
}

export function liveView(screen: Screen, color: boolean): LiveView {
  const running = new Running();
  let isStarted = false;
  let ticking: NodeJS.Timeout | null = null;
  let soon: NodeJS.Timeout | null = null;
  let printed: (() => number) | null = null;
  let header = false;
  const draw = (): void => {
    if (soon !== null) clearTimeout(soon);
    soon = null;
    const { columns, rows } = screen;
    const drawn = (): string[] => frame(running, { columns, rows, color, header }, Date.now());
    // What was printed first has left the screen; it does not come back, so its lines in the view stay.
    header ||= (printed?.() ?? 0) + drawn().length > rows;
    screen.draw(drawn());
  };
  const start = (): void => {
    isStarted = true;
    printed ??= screen.countRows();
    ticking = setInterval(draw, TICK_MS).unref();
    screen.onResize(draw);
  };
  const stop = (): void => {
    if (ticking !== null) clearInterval(ticking);
    if (soon !== null) clearTimeout(soon);
    soon = null;
    screen.onResize(null);
    screen.draw([]);
  };
  return {
    reporter: {
      name: "live view",
      event(event, iteration) {
        running.hear(event, iteration);
        if (!isStarted) start();
        // A line is about to be printed of a trial that ended: it must not be among those at work any more. And who pauses a
        // run looks for the word.
        if (AT_ONCE.has(event.kind)) draw();
        else soon ??= setTimeout(draw, SOON_MS).unref();
      },
      finish: stop,
    },
    expect: (about) => {
      running.expect(about);
      printed = screen.countRows();
    },
    stop,
  };
}

const AT_ONCE: ReadonlySet<string> = new Set(["trial-finished", "verdicts-recorded", "pace-changed"]);

/** Clocks show seconds. */
const TICK_MS = 1000;
/** Often enough for eyes, seldom enough for many agents at once. */
const SOON_MS = 100;
