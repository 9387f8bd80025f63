import { leftOut } from "../../domain/left-out.ts";
import { isTimeout } from "../../lib/deadline-signal.ts";
import { deepFreeze } from "../../lib/deep-freeze.ts";
import { only, plainOf } from "../../lib/shape/read-plain.ts";
import { thrownWords } from "../../lib/thrown-words.ts";
import { within } from "../../lib/within.ts";
import type { Harness, HarnessContext, HarnessRequest, HarnessRun } from "../../run/harness.ts";
import { saidNothing } from "../../run/said-nothing.ts";
import { CLIENT, HARNESS, HARNESS_RUN } from "./harness-shapes.ts";
import { GuardedTrial } from "./open-trial.ts";

/** How long after its deadline, or after the call was stopped, a harness may still answer. */
const GRACE_MS = 5000;
const SESSION_MS = 60_000;

/**
 * A harness of the user's own. What goes wrong in a trial leaves that trial out; what it is given is frozen, what it answers
 * is read by its shape, and one that does not end is given up. Throws where it is no harness at all.
 */
export function guardedHarness(harness: Harness, { graceMs = GRACE_MS } = {}): Harness {
  const own = plainOf(only(harness, ["name", "skillsFolder", "onlyPrograms"]), HARNESS, "it");
  for (const verb of ["find", "run"] as const)
    if (typeof harness[verb] !== "function") throw new Error(`it has no function ${verb}`);
  return {
    ...own,
    find: async () => plainOf(await harness.find(), CLIENT, "what find returned"),
    run: (request, context) => runOnce({ harness, graceMs }, request, context),
    ...(typeof harness.sessionFile === "function" && { sessionFile: guardedSession(harness) }),
  };
}

async function runOnce(
  { harness, graceMs }: { readonly harness: Harness; readonly graceMs: number },
  request: HarnessRequest,
  context: HarnessContext,
): Promise<HarnessRun> {
  deepFreeze(request);
  const trial = new GuardedTrial(context, graceMs);
  try {
    const said = await trial.wait(() => harness.run(request, trial.context));
    return plainOf(said, HARNESS_RUN, "what run returned");
  } catch (error) {
    const isStopped = context.signal.aborted && !isTimeout(context.signal.reason);
    return saidNothing(
      leftOut(
        isStopped ? "interrupted" : "invalid",
        `the harness ${harness.name} failed: ${thrownWords(error)}`,
      ),
    );
  } finally {
    await trial.end();
  }
}

/** A session that cannot be found is one that is not kept. */
function guardedSession(harness: Harness): NonNullable<Harness["sessionFile"]> {
  return async (home, id) => {
    const found: unknown = await within(() => harness.sessionFile?.(home, id) ?? null, {
      limitMs: SESSION_MS,
    }).catch(() => null);
    return typeof found === "string" ? found : null;
  };
}
