import type { FormatName } from "../../domain/suite.ts";
import type { Format } from "../format.ts";
import type { Formats } from "../recognise.ts";

export interface NamedFormat {
  readonly name: FormatName;
  /** One line for help and docs. */
  readonly help: string;
  /** Nothing is loaded before a file needs it. */
  readonly open: () => Promise<Format>;
}

/** Every format Assay reads and writes. */
export const formats: readonly NamedFormat[] = [
  {
    name: "bmad",
    help: "BMad: evals.json, triggers.json and cases.json, with overlays",
    open: async () => (await import("./bmad/bmad.ts")).bmad,
  },
  {
    name: "clauditor",
    help: "clauditor: SKILL.eval.json beside the skill",
    open: async () => (await import("./clauditor/clauditor.ts")).clauditor,
  },
  {
    name: "skill-creator",
    help: "skill-creator: evals/evals.json in the skill, and trigger sets",
    open: async () => (await import("./skill-creator/skill-creator.ts")).skillCreator,
  },
  {
    name: "skillet",
    help: "Skillet: one YAML file per case",
    open: async () => (await import("./skillet/skillet.ts")).skillet,
  },
];

/** The same by name. */
export const BUILT_IN_FORMATS = Object.fromEntries(formats.map(({ name, open }) => [name, open])) as Formats;

export const FORMAT_NAMES: readonly FormatName[] = formats.map(({ name }) => name);
