import type { Check, ClaimKind } from "../domain/check.ts";
import { type Decision, toVerdict, unscored } from "./decision.ts";
import type { Grader } from "./grader.ts";
import type { Subject } from "./subject.ts";

export type CheckOf<K extends ClaimKind> = Extract<Check, { readonly kind: K }>;

/** A family of checks that code decides one by one. */
export interface CodeFamily<K extends ClaimKind> {
  readonly name: string;
  readonly kinds: readonly K[];
  readonly needs?: Grader["needs"];
  /** Looks at the subject once, for all checks of the family. */
  readonly open: (
    subject: Subject,
    checks: readonly CheckOf<K>[],
    signal: AbortSignal,
  ) => Promise<(check: CheckOf<K>) => Promise<Decision>>;
}

/** A grader of one family; whatever goes wrong with one check leaves the others alone. */
export function codeGrader<K extends ClaimKind>(family: CodeFamily<K>): Grader<CheckOf<K>> {
  const kinds: readonly ClaimKind[] = family.kinds;
  return {
    name: family.name,
    needs: family.needs ?? "code",
    decides: (check): check is CheckOf<K> => kinds.includes(check.kind),
    async grade(checks, subject, signal) {
      const undecided = (error: unknown): Decision => {
        signal.throwIfAborted();
        return unscored(`the check could not be decided: ${String(error)}`);
      };
      const decide = await family.open(subject, checks, signal).catch((error: unknown) => {
        const decision = undecided(error);
        return () => Promise.resolve(decision);
      });
      const verdicts = [];
      for (const check of checks) {
        signal.throwIfAborted();
        verdicts.push(toVerdict(check, subject, await decide(check).catch(undecided)));
      }
      return { verdicts };
    },
  };
}
