import { inferProvider, judgeProgram } from "../domain/grading-provider.ts";
import type { CaseSettings } from "../domain/suite.ts";
import { UserError } from "../domain/user-error.ts";
import { PROVIDER_NAMES, type ProviderName } from "./connect.ts";

/** Who judges, and how it is reached: `cli` is the service's own command line (claude or codex). */
export interface GradingChoice {
  readonly provider: ProviderName;
  readonly model: string;
  readonly transport: "api" | "cli";
  /** Why this judge cannot answer from here, as a sentence; null: it can. */
  readonly missing: string | null;
  /** What looks odd but was asked for. */
  readonly notes: readonly string[];
}

/** The places a setting can come from, strongest first. */
export interface GradingSources {
  readonly flags: GradingWishes;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings: Pick<CaseSettings, "gradingProvider" | "gradingModel" | "transport">;
  readonly config: GradingWishes;
  readonly reach: GradingReach;
  /** Names of judges that a configuration adds; each place may name one of them too. */
  readonly own: readonly string[];
}

/** What can answer from here. */
export interface GradingReach {
  /** Services with a key, or servers that want none. */
  readonly api: readonly ProviderName[];
  /** Services whose command line is installed and logged in. */
  readonly login: readonly ProviderName[];
  /** Services whose command line is installed, whether it is logged in or not. */
  readonly installed: readonly ProviderName[];
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
  const { reach } = sources;
  const { value: asked, where } = firstOf(PROVIDER, sources);
  const { value: model } = firstOf(MODEL, sources);
  const { value: wish } = firstOf(TRANSPORT, sources);
  const provider = asked === "auto" ? inferred(model, wish, reach) : asked;
  const transport = transportFor(provider, wish, reach);
  const chosen = model ?? DEFAULT_MODELS[provider];
  if (chosen === null) {
    throw new UserError("grading/no-model", `${provider} has no default model for grading`, {
      hint: "choose one with --grading-model",
    });
  }
  const missing = missingFor(
    { provider, transport },
    { reach, asked: where === null ? null : `${where} ${provider}` },
  );
  return { provider, model: chosen, transport, missing, notes: notesOn(provider, chosen) };
}

/** The judge of the user's own that the strongest source names; null where it names none of them, or nobody says anything. */
export function ownJudge(sources: GradingSources): string | null {
  const choices = [...(PROVIDER.choices ?? []), ...sources.own];
  const { value } = firstOf<string>({ ...PROVIDER, choices }, sources);
  return sources.own.includes(value) ? value : null;
}

/** The models that the strongest source names, with commas between them; null stands for the default. */
export function gradingModels(sources: GradingSources): readonly [string | null, ...string[]] {
  const named = (firstOf(MODEL, sources).value ?? "").split(",").map((model) => model.trim());
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

const TRANSPORT: Axis<TransportWish> = {
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

/** `where` is null where nobody says anything. */
function firstOf<T>(
  axis: Axis<T>,
  { flags, env, settings, config }: Omit<GradingSources, "reach" | "own">,
): { readonly value: T; readonly where: string | null } {
  const said: readonly (readonly [where: string, value: string | null | undefined])[] = [
    [axis.flag, flags[axis.key]],
    ...axis.variables.map((name) => [name, env[name]] as const),
    [`${axis.word} in the eval file`, settings[axis.key]],
    [`${axis.word} in the config file`, config[axis.key]],
  ];
  const found = said.find(([, value]) => (value ?? "").trim() !== "");
  if (found === undefined) return { value: axis.fallback, where: null };
  const value = (found[1] ?? "").trim();
  if (axis.choices === null || axis.choices.includes(value)) return { value: value as T, where: found[0] };
  throw new UserError(
    "grading/not-a-choice",
    `${found[0]} is ${JSON.stringify(value)}, which is not an allowed choice`,
    {
      hint: `choose one of ${axis.choices.join(", ")}`,
    },
  );
}

/** By the model's name; without one, whoever can answer: a key before a login, a login before a local server. */
function inferred(model: string | null, wish: TransportWish, reach: GradingReach): ProviderName {
  const named = model === null ? null : inferProvider(model);
  if (named !== null) return named;
  const first = (providers: readonly ProviderName[]) =>
    PROVIDER_NAMES.find((name) => name !== LOCAL && providers.includes(name));
  const local = wish !== "cli" && reach.api.includes(LOCAL) ? LOCAL : undefined;
  if (model !== null) {
    if (local !== undefined) return local;
    throw new UserError(
      "grading/unknown-model",
      `the grading model ${JSON.stringify(model)} does not say which service has it`,
      { hint: `set it with --grading-provider ${PROVIDER_NAMES.join("|")}` },
    );
  }
  const byKey = wish === "cli" ? undefined : first(reach.api);
  const byLogin = wish === "api" ? undefined : first(reach.login);
  const keyed = reach.installed.filter((name) => reach.api.includes(name));
  const byProgram = wish === "cli" ? (first(keyed) ?? first(reach.installed)) : undefined;
  return byKey ?? byLogin ?? local ?? byProgram ?? "anthropic";
}

const LOCAL = "openai-compatible" satisfies ProviderName;

type TransportWish = "api" | "cli" | "auto";

/** `auto` takes the key where there is one, and the command line only where it is logged in. */
function transportFor(provider: ProviderName, wish: TransportWish, reach: GradingReach): "api" | "cli" {
  if (wish === "auto") return !reach.api.includes(provider) && reach.login.includes(provider) ? "cli" : "api";
  if (wish === "api") return "api";
  if (provider === LOCAL) {
    throw new UserError("grading/no-cli", "an OpenAI-compatible server has no command line to grade with", {
      hint: "use --transport api",
    });
  }
  if (reach.installed.includes(provider)) return "cli";
  const program = judgeProgram(provider);
  throw new UserError("grading/no-cli", `judging through the CLI needs ${program}, which was not found`, {
    hint: `install it, set ASSAY_${program?.toUpperCase()} to its path, or use --transport api with a key`,
  });
}

const KEYS = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  [LOCAL]: "ASSAY_MODEL_URL",
} as const;

function missingFor(
  { provider, transport }: Pick<GradingChoice, "provider" | "transport">,
  { reach, asked }: { readonly reach: GradingReach; readonly asked: string | null },
): string | null {
  const hasKey = reach.api.includes(provider);
  if (transport === "api")
    return hasKey ? null : `${asked ?? `judging with ${provider}`} needs ${KEYS[provider]}.`;
  if (hasKey || reach.login.includes(provider) || provider === LOCAL) return null;
  return `${judgeProgram(provider)} is not logged in, so it cannot judge.`;
}

function notesOn(provider: ProviderName, model: string): readonly string[] {
  const home = inferProvider(model);
  if (home === null || home === provider || provider === "openai-compatible") return [];
  return [`the grading model ${model} looks like one of ${home}, but ${provider} is asked for it`];
}
