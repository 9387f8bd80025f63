import { runName } from "../../../src/viewer/api.ts";
import { AT, trialId } from "./made-results.ts";

const WITH = trialId(0, "with_skill", 1);
const WITHOUT = trialId(0, "without_skill", 1);

function addressOf(screen: string, settings: Readonly<Record<string, string | number>>): string {
  const given = Object.entries(settings).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${screen}?${given.join("&")}`;
}

/** One address of each screen over made results. */
export const SCREENS: Readonly<Record<string, string>> = {
  overview: "overview",
  iteration: addressOf("iteration", { ...AT, open: "eval-0" }),
  run: addressOf("run", { ...AT, trial: WITHOUT, check: "c0", event: 6, quote: "Two prices are missing" }),
  compare: addressOf("compare", {
    ...AT,
    a: runName({ ...AT, trial: WITH }),
    b: runName({ ...AT, trial: WITHOUT }),
  }),
  blind: addressOf("blind", { ...AT }),
  triggers: addressOf("triggers", { ...AT }),
  skill: addressOf("skill", { ...AT }),
  live: addressOf("live", { ...AT }),
  improve: addressOf("improve", { skill: AT.skill }),
};
