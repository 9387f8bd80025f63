import { hostedKind } from "./kind.ts";

/** A trigger case's one check: on its query the skill under test fires, or does not. */
export const fires = hostedKind<{
  readonly expected: boolean;
  /** The one skill out of many that must answer: on a near miss (`expected` false) the rival; null where none is named. */
  readonly skill: string | null;
  /** Skills that must stay silent whatever else fires. */
  readonly forbidden: readonly string[];
}>()({ reads: "activations", layer: "trigger" });
