import { UserError } from "../../domain/user-error.ts";
import { DRAFT_OPTIONS } from "../../operations/draft-from-evals.ts";
import { IMPROVE_OPTIONS } from "../../operations/improve.ts";
import { SUGGEST_OPTIONS } from "../../operations/suggest.ts";
import type { CommandCall } from "../command.ts";

export type Way = "rounds" | "suggest" | "description" | "from-evals";

/** The one way that the flags ask for. Throws a UserError when they ask for several or mix them up. */
export function wayOf(call: CommandCall): Way {
  const { options } = call;
  const asked: Readonly<Record<Exclude<Way, "rounds">, unknown>> = {
    suggest: options["suggest"],
    description: options["description"],
    "from-evals": call.given(DRAFT_OPTIONS).evals,
  };
  const ways = (["suggest", "description", "from-evals"] as const).filter((way) => asked[way] !== undefined);
  const [way = "rounds", another] = ways;
  if (another !== undefined) {
    throw new UserError("improve/which-way", "--suggest, --description and --from-evals cannot be combined", {
      hint: "choose one of them, or none to improve the skill in rounds",
    });
  }
  requireFitting(call, way);
  return way;
}

/** Options that another way than the chosen one has would be ignored without a word. */
function requireFitting(call: CommandCall, way: Way): void {
  const { restart, maxMinutes, freshRuns, acceptEqual } = call.given(IMPROVE_OPTIONS);
  const { iteration } = call.given(SUGGEST_OPTIONS);
  const own = [
    { flag: "--iteration", said: iteration, of: "suggest" },
    { flag: "--restart", said: restart, of: "rounds" },
    { flag: "--max-minutes", said: maxMinutes, of: "rounds" },
    { flag: "--fresh-runs", said: freshRuns, of: "rounds" },
    { flag: "--accept-equal", said: acceptEqual, of: "rounds" },
  ];
  const misplaced = own.find(({ said, of }) => said !== undefined && of !== way);
  if (misplaced === undefined) return;
  const { flag, of } = misplaced;
  throw new UserError(
    "improve/which-way",
    `${flag} does nothing ${of === "rounds" ? "except in rounds" : `without --${of}`}`,
    { hint: "leave it out, or use the flag it belongs to" },
  );
}
