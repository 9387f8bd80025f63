import type { Check, ClaimKind } from "../domain/check.ts";
import type { KindReading } from "../domain/checks/index.ts";
import type { Source } from "../domain/checks/source.ts";
import { type Decision, toVerdict, unscored } from "./decision.ts";
import type { Grader } from "./grader.ts";
import type { Subject } from "./subject.ts";

export type CheckOf<K extends ClaimKind> = Extract<Check, { readonly kind: K }>;

/** How each kind is decided that reads the source: the compiler refuses a table without a row for one. */
export type Decisions<R extends Source, S> = {
  readonly [K in KindReading<R>]: (check: CheckOf<K>, opened: S) => Decision | Promise<Decision>;
};

/** A family of checks that code decides one by one, on the same source. */
export interface CodeFamily<R extends Source, S> {
  readonly name: string;
  readonly reads: R;
  readonly needs?: Grader["needs"];
  /** Looks at the subject once, for all checks of the family. */
  readonly open: (
    subject: Subject,
    checks: readonly CheckOf<KindReading<R>>[],
    signal: AbortSignal,
  ) => Promise<S>;
  readonly decisions: Decisions<R, S>;
}

/** A grader of one family; whatever goes wrong with one check leaves the others alone. */
export function codeGrader<R extends Source, S>(family: CodeFamily<R, S>): Grader<CheckOf<KindReading<R>>> {
  type Own = CheckOf<KindReading<R>>;
  const decisions = family.decisions as unknown as Readonly<
    Record<string, (check: Own, opened: S) => Decision | Promise<Decision>>
  >;
  return {
    name: family.name,
    needs: family.needs ?? "code",
    decides: (check): check is Own => Object.hasOwn(decisions, check.kind),
    async grade(checks, subject, signal) {
      const undecided = (error: unknown): Decision => {
        signal.throwIfAborted();
        return unscored(`the check could not be decided: ${String(error)}`);
      };
      signal.throwIfAborted();
      const opening = family.open(subject, checks, signal);
      // Told to each check that waits for it; after a stop none does.
      opening.catch(() => {});
      const decide = async (check: Own): Promise<Decision> =>
        decisions[check.kind]?.(check, await opening) ?? unscored(`no grader decides ${check.kind}`);
      const verdicts = [];
      for (const check of checks) {
        signal.throwIfAborted();
        verdicts.push(toVerdict(check, subject, await decide(check).catch(undecided)));
      }
      return { verdicts };
    },
  };
}
