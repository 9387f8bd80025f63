import { inferProvider } from "../domain/grading-provider.ts";
import type { CaseSettings } from "../domain/suite.ts";
import { UserError } from "../domain/user-error.ts";
import { PROVIDER_NAMES, type ProviderName } from "./connect.ts";

/** Who judges, and how it is reached: `cli` is the service's own command line (claude or codex). */
export interface GradingChoice {
  readonly provider: ProviderName;
  readonly model: string;
  readonly transport: "api" | "cli";
  /** What looks odd but was asked for. */
  readonly notes: readonly string[];
}

/** The places a setting can come from, strongest first. */
export interface GradingSources {
  readonly flags: GradingWishes;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings: Pick<CaseSettings, "gradingProvider" | "gradingModel" | "transport">;
  readonly config: GradingWishes;
  /** Which command lines are on PATH. */
  readonly installed: { readonly claude: boolean; readonly codex: boolean };
}

/** As a person wrote them; null is "not said". */
export interface GradingWishes {
  readonly gradingProvider: string | null;
  readonly gradingModel: string | null;
  readonly transport: string | null;
}

export const NO_WISHES: GradingWishes = { gradingProvider: null, gradingModel: null, transport: null };

/**
 * Flag, environment, eval file, config file, default. The first that says anything wins, also when it says `auto`; blank
 * variables say nothing. Throws a UserError for a value that is none of the choices, wherever it comes from.
 */
export function resolveGrading(sources: GradingSources): GradingChoice {
  const asked = firstOf(PROVIDER, sources);
  const model = firstOf(MODEL, sources);
  const provider = asked === "auto" ? inferred(model) : asked;
  const transport = transportFor(provider, firstOf(TRANSPORT, sources), sources.installed);
  const chosen = model ?? DEFAULT_MODELS[provider];
  if (chosen === null) {
    throw new UserError("grading/no-model", `${provider} has no default model for grading`, {
      hint: "name one with --grading-model",
    });
  }
  return { provider, model: chosen, transport, notes: notesOn(provider, chosen) };
}

/** The models that the strongest source names, with commas between them; null stands for the default. */
export function gradingModels(sources: GradingSources): readonly [string | null, ...string[]] {
  const named = (firstOf(MODEL, sources) ?? "").split(",").map((model) => model.trim());
  const [first = null, ...others] = named.filter((model) => model !== "");
  return [first, ...others];
}

const DEFAULT_MODELS: Readonly<Record<ProviderName, string | null>> = {
  anthropic: "claude-sonnet-4-6",
  openai: "gpt-5.4",
  "openai-compatible": null,
};

interface Axis<T> {
  readonly key: keyof GradingWishes;
  readonly flag: string;
  /** As files spell it. */
  readonly word: string;
  readonly variables: readonly string[];
  /** Null: any text will do. */
  readonly choices: readonly string[] | null;
  readonly fallback: T;
}

const PROVIDER: Axis<ProviderName | "auto"> = {
  key: "gradingProvider",
  flag: "--grading-provider",
  word: "grading_provider",
  variables: ["ASSAY_GRADING_PROVIDER", "CLAUDITOR_GRADING_PROVIDER"],
  choices: [...PROVIDER_NAMES, "auto"],
  fallback: "auto",
};

const TRANSPORT: Axis<"api" | "cli" | "auto"> = {
  key: "transport",
  flag: "--transport",
  word: "transport",
  variables: ["ASSAY_TRANSPORT", "CLAUDITOR_TRANSPORT"],
  choices: ["api", "cli", "auto"],
  fallback: "auto",
};

const MODEL: Axis<string | null> = {
  key: "gradingModel",
  flag: "--grading-model",
  word: "grading_model",
  variables: ["ASSAY_GRADING_MODEL"],
  choices: null,
  fallback: null,
};

function firstOf<T>(axis: Axis<T>, { flags, env, settings, config }: GradingSources): T {
  const said: readonly (readonly [where: string, value: string | null | undefined])[] = [
    [axis.flag, flags[axis.key]],
    ...axis.variables.map((name) => [name, env[name]] as const),
    [`${axis.word} in the eval file`, settings[axis.key]],
    [`${axis.word} in the config file`, config[axis.key]],
  ];
  const found = said.find(([, value]) => (value ?? "").trim() !== "");
  if (found === undefined) return axis.fallback;
  const value = (found[1] ?? "").trim();
  if (axis.choices === null || axis.choices.includes(value)) return value as T;
  throw new UserError(
    "grading/not-a-choice",
    `${found[0]} is ${JSON.stringify(value)}, which is not a choice`,
    {
      hint: `choose one of ${axis.choices.join(", ")}`,
    },
  );
}

/** Without a model the choice falls on Anthropic, as it always has for these files. */
function inferred(model: string | null): ProviderName {
  if (model === null) return "anthropic";
  const provider = inferProvider(model);
  if (provider !== null) return provider;
  throw new UserError(
    "grading/unknown-model",
    `the grading model ${JSON.stringify(model)} does not tell which service has it`,
    { hint: `say it with --grading-provider ${PROVIDER_NAMES.join("|")}` },
  );
}

/** `auto` means Claude's command line where it is installed; the other services are called directly unless asked otherwise. */
function transportFor(
  provider: ProviderName,
  wish: "api" | "cli" | "auto",
  installed: GradingSources["installed"],
): "api" | "cli" {
  if (wish === "auto") return provider === "anthropic" && installed.claude ? "cli" : "api";
  if (wish === "api") return "api";
  if (provider === "openai-compatible") {
    throw new UserError("grading/no-cli", "an OpenAI-compatible server has no command line to grade with", {
      hint: "use --transport api",
    });
  }
  const program = provider === "anthropic" ? "claude" : "codex";
  if (installed[program]) return "cli";
  throw new UserError("grading/no-cli", `grading by command line needs ${program}, which is not on PATH`, {
    hint: `install it, or use --transport api with a key`,
  });
}

function notesOn(provider: ProviderName, model: string): readonly string[] {
  const home = inferProvider(model);
  if (home === null || home === provider || provider === "openai-compatible") return [];
  return [`the grading model ${model} is ${home}'s by its name, but ${provider} is asked for it`];
}
