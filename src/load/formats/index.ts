import type { FormatName } from "../../domain/suite.ts";
import type { Formats } from "../recognise.ts";

/** Every format Assay reads and writes. */
export const BUILT_IN_FORMATS: Formats = {
  bmad: async () => (await import("./bmad/bmad.ts")).bmad,
  clauditor: async () => (await import("./clauditor/clauditor.ts")).clauditor,
  "skill-creator": async () => (await import("./skill-creator/skill-creator.ts")).skillCreator,
  skillet: async () => (await import("./skillet/skillet.ts")).skillet,
};

export const FORMAT_NAMES = Object.keys(BUILT_IN_FORMATS) as readonly FormatName[];
