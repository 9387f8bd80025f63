import type { FormatName, ImportName, ReadableName } from "../../domain/suite.ts";
import type { Format, Importer } from "../format.ts";
import type { Formats } from "../recognise.ts";

export interface NamedFormat {
  readonly name: FormatName;
  /** One line for help and docs. */
  readonly help: string;
  /** Nothing is loaded before a file needs it. */
  readonly open: () => Promise<Format>;
}

export interface NamedImporter {
  readonly name: ImportName;
  readonly help: string;
  readonly open: () => Promise<Importer>;
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
    help: "skill-creator and agentskills.io: evals/evals.json in the skill, and trigger sets",
    open: async () => (await import("./skill-creator/skill-creator.ts")).skillCreator,
  },
  {
    name: "skillet",
    help: "Skillet: one YAML file per case",
    open: async () => (await import("./skillet/skillet.ts")).skillet,
  },
];

/** Every format of another tool that Assay reads, and converts to one of its own. */
export const importers: readonly NamedImporter[] = [
  {
    name: "claude-plugin",
    help: "claude plugin eval: prompt.md or case.yaml with graders, in a plugin",
    open: async () => (await import("./claude-plugin/claude-plugin.ts")).claudePlugin,
  },
  {
    name: "promptfoo",
    help: "promptfoo: promptfooconfig.yaml or .json",
    open: async () => (await import("./promptfoo/promptfoo.ts")).promptfoo,
  },
  {
    name: "sentry-skillet",
    help: "Sentry's Skillet: evals/cases/*.yaml in the skill",
    open: async () => (await import("./sentry-skillet/sentry-skillet.ts")).sentrySkillet,
  },
  {
    name: "tessl",
    help: "tessl: task.md with criteria.json",
    open: async () => (await import("./tessl/tessl.ts")).tessl,
  },
];

/** The same by name. */
export const BUILT_IN_FORMATS = Object.fromEntries(formats.map(({ name, open }) => [name, open])) as Readonly<
  Record<FormatName, () => Promise<Format>>
>;

/** Everything that can be read, by name. */
export const READABLE_FORMATS: Formats = {
  ...BUILT_IN_FORMATS,
  ...Object.fromEntries(importers.map(({ name, open }) => [name, open])),
};

export const FORMAT_NAMES: readonly FormatName[] = formats.map(({ name }) => name);

export const IMPORT_NAMES: readonly ImportName[] = importers.map(({ name }) => name);

export const READABLE_NAMES: readonly ReadableName[] = [...FORMAT_NAMES, ...IMPORT_NAMES];
