import type { Verdict } from "../../domain/verdict.ts";
import type { Expectation } from "../../compare/pair.ts";

/** How the checks of both sides came out; only what was scored on both can be held against each other. */
export function sharedExpectations(
  first: readonly Verdict[],
  second: readonly Verdict[],
): { readonly first: readonly Expectation[]; readonly second: readonly Expectation[] } {
  const [was, is] = [byCheck(first), byCheck(second)];
  const both = (own: ReadonlyMap<string, Expectation>, other: ReadonlyMap<string, Expectation>) =>
    [...own].filter(([id]) => other.has(id)).map(([, expectation]) => expectation);
  return { first: both(was, is), second: both(is, was) };
}

/** By check id; a check on several entries passes when all of them do. */
function byCheck(verdicts: readonly Verdict[]): ReadonlyMap<string, Expectation> {
  const found = new Map<string, Expectation | null>();
  for (const { checkId, text, status } of verdicts) {
    const before = found.get(checkId);
    if (status === "unscored" || before === null) found.set(checkId, null);
    else found.set(checkId, { text, passed: status === "passed" && before?.passed !== false });
  }
  return new Map(
    [...found].flatMap(([id, expectation]) => (expectation === null ? [] : [[id, expectation]])),
  );
}
