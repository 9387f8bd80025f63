import { describe, expect, it } from "vitest";
import { UserError } from "../domain/user-error.ts";
import {
  gradingModels,
  type GradingSources,
  type GradingWishes,
  NO_WISHES,
  ownJudge,
  resolveGrading,
} from "./grading-choice.ts";

type Said = { [K in keyof GradingWishes]?: string };

function sources(given: {
  flags?: Said;
  env?: Record<string, string>;
  file?: Said;
  config?: Said;
  reach?: Partial<GradingSources["reach"]>;
  own?: readonly string[];
}): GradingSources {
  return {
    flags: { ...NO_WISHES, ...given.flags },
    env: given.env ?? {},
    settings: { ...NO_WISHES, ...given.file } as GradingSources["settings"],
    config: { ...NO_WISHES, ...given.config },
    reach: { api: [], login: [], installed: [], ...given.reach },
    own: given.own ?? [],
  };
}

describe("the provider", () => {
  it.each([
    ["nothing said", {}, "anthropic", "claude-sonnet-4-6"],
    [
      "the flag wins",
      { flags: { gradingProvider: "openai" }, env: { CLAUDITOR_GRADING_PROVIDER: "anthropic" } },
      "openai",
      "gpt-5.4",
    ],
    [
      "then our variable",
      { env: { ASSAY_GRADING_PROVIDER: "openai", CLAUDITOR_GRADING_PROVIDER: "anthropic" } },
      "openai",
      "gpt-5.4",
    ],
    [
      "then clauditor's",
      { env: { CLAUDITOR_GRADING_PROVIDER: "openai" }, file: { gradingProvider: "anthropic" } },
      "openai",
      "gpt-5.4",
    ],
    [
      "then the eval file",
      { file: { gradingProvider: "openai" }, config: { gradingProvider: "anthropic" } },
      "openai",
      "gpt-5.4",
    ],
    ["then the config file", { config: { gradingProvider: "openai" } }, "openai", "gpt-5.4"],
    [
      "a blank variable says nothing",
      { env: { CLAUDITOR_GRADING_PROVIDER: "  " }, file: { gradingProvider: "openai" } },
      "openai",
      "gpt-5.4",
    ],
    [
      "auto from the flag hides the file",
      { flags: { gradingProvider: "auto" }, file: { gradingProvider: "openai" } },
      "anthropic",
      "claude-sonnet-4-6",
    ],
    [
      "auto from the environment hides the file",
      { env: { CLAUDITOR_GRADING_PROVIDER: "auto" }, file: { gradingProvider: "openai" } },
      "anthropic",
      "claude-sonnet-4-6",
    ],
    ["inferred from the file's model", { file: { gradingModel: "gpt-5.4-mini" } }, "openai", "gpt-5.4-mini"],
    [
      "inferred from the flag's model",
      { flags: { gradingModel: "o3-mini" }, file: { gradingModel: "claude-opus-4-1" } },
      "openai",
      "o3-mini",
    ],
    [
      "inferred as Claude",
      { file: { gradingModel: "claude-opus-4-1", gradingProvider: "auto" } },
      "anthropic",
      "claude-opus-4-1",
    ],
    [
      "asked for with its model",
      { flags: { gradingProvider: "openai-compatible", gradingModel: "llama3.2" } },
      "openai-compatible",
      "llama3.2",
    ],
    [
      "an unknown name with a named provider",
      { flags: { gradingProvider: "openai" }, file: { gradingModel: "foo-1" } },
      "openai",
      "foo-1",
    ],
  ] as const)("%s", (_, given, provider, model) => {
    expect(resolveGrading(sources(given))).toMatchObject({ provider, model, transport: "api", notes: [] });
  });

  it("notes a model that is another's by its name", () => {
    const choice = resolveGrading(
      sources({ flags: { gradingProvider: "openai" }, file: { gradingModel: "claude-opus-4-1" } }),
    );
    expect(choice).toMatchObject({ provider: "openai", model: "claude-opus-4-1" });
    expect(choice.notes).toHaveLength(1);
  });
});

describe("the model", () => {
  it.each([
    [{ flags: { gradingModel: "claude-a" }, env: { ASSAY_GRADING_MODEL: "claude-b" } }, "claude-a"],
    [{ env: { ASSAY_GRADING_MODEL: "claude-b" }, file: { gradingModel: "claude-c" } }, "claude-b"],
    [{ file: { gradingModel: "claude-c" }, config: { gradingModel: "claude-d" } }, "claude-c"],
    [{ config: { gradingModel: "claude-d" } }, "claude-d"],
  ])("comes from the strongest place: %j", (given, model) => {
    expect(resolveGrading(sources(given)).model).toBe(model);
  });
});

describe("the transport", () => {
  const keyed = { api: ["anthropic"], installed: ["anthropic", "openai"] } as const;
  const loggedIn = { login: ["anthropic"], installed: ["anthropic", "openai"] } as const;
  it.each([
    ["auto takes the key although claude is installed", { reach: keyed }, "api"],
    [
      "auto takes the key although claude is logged in",
      { reach: { ...loggedIn, api: ["anthropic"] } },
      "api",
    ],
    ["auto takes the login where there is no key", { reach: loggedIn }, "cli"],
    ["auto does not take a claude that is not logged in", { reach: { installed: ["anthropic"] } }, "api"],
    [
      "auto takes the login of codex",
      { file: { gradingProvider: "openai" }, reach: { login: ["openai"], installed: ["openai"] } },
      "cli",
    ],
    [
      "the flag wins",
      { flags: { transport: "api" }, env: { CLAUDITOR_TRANSPORT: "cli" }, reach: loggedIn },
      "api",
    ],
    [
      "then the variable",
      { env: { CLAUDITOR_TRANSPORT: "api" }, file: { transport: "cli" }, reach: loggedIn },
      "api",
    ],
    ["then the eval file", { file: { transport: "api" }, reach: loggedIn }, "api"],
    [
      "auto from the environment hides the file",
      { env: { CLAUDITOR_TRANSPORT: "auto" }, file: { transport: "api" }, reach: loggedIn },
      "cli",
    ],
    [
      "cli for openai is codex",
      { flags: { transport: "cli", gradingProvider: "openai" }, reach: keyed },
      "cli",
    ],
  ] as const)("%s", (_, given, transport) => {
    expect(resolveGrading(sources(given)).transport).toBe(transport);
  });
});

describe("auto", () => {
  it.each([
    ["a key first", { api: ["openai"], login: ["anthropic"] }, "openai", "api"],
    ["then a login", { api: ["openai-compatible"], login: ["openai"] }, "openai", "cli"],
    ["Anthropic where both have keys", { api: ["openai", "anthropic"] }, "anthropic", "api"],
  ] as const)("takes %s", (_, reach, provider, transport) => {
    expect(resolveGrading(sources({ reach }))).toMatchObject({ provider, transport, missing: null });
  });

  it("takes the command line that has a key where only a command line will do", () => {
    const reach = { api: ["openai"], installed: ["anthropic", "openai"] } as const;
    expect(resolveGrading(sources({ reach, flags: { transport: "cli" } }))).toMatchObject({
      provider: "openai",
      transport: "cli",
      missing: null,
    });
  });

  it("takes a local server last, and for a model that only it can have", () => {
    const reach = { api: ["openai-compatible"] } as const;
    expect(resolveGrading(sources({ reach, flags: { gradingModel: "llama3.2" } }))).toMatchObject({
      provider: "openai-compatible",
      missing: null,
    });
    expect(() => resolveGrading(sources({ reach }))).toThrow(/no default model/);
  });

  it.each([
    ["--grading-provider openai needs OPENAI_API_KEY.", { flags: { gradingProvider: "openai" } }],
    [
      "ASSAY_GRADING_PROVIDER openai needs OPENAI_API_KEY.",
      { env: { ASSAY_GRADING_PROVIDER: "openai" }, reach: { api: ["anthropic"] } },
    ],
    ["judging with anthropic needs ANTHROPIC_API_KEY.", {}],
    [
      "claude is not logged in, so it cannot judge.",
      { flags: { transport: "cli" }, reach: { installed: ["anthropic"] } },
    ],
  ] as const)("says what is missing: %s", (missing, given) => {
    expect(resolveGrading(sources(given)).missing).toBe(missing);
  });
});

describe("what cannot be", () => {
  it.each([
    ["an unknown model", { file: { gradingModel: "foo-1" } }, /does not say which service/],
    ["a wrong flag", { flags: { gradingProvider: "mistral" } }, /^--grading-provider is "mistral"/],
    ["a wrong variable", { env: { CLAUDITOR_TRANSPORT: "foo" } }, /^CLAUDITOR_TRANSPORT is "foo"/],
    [
      "a wrong word in the config file",
      { config: { transport: "API" } },
      /^transport in the config file is "API", which is not an allowed choice/,
    ],
    [
      "a local server without a model",
      { flags: { gradingProvider: "openai-compatible" } },
      /no default model/,
    ],
    ["claude that is not there", { flags: { transport: "cli" } }, /needs claude/],
    [
      "codex that is not there",
      { flags: { transport: "cli", gradingProvider: "openai" }, reach: { installed: ["anthropic"] } },
      /needs codex/,
    ],
    [
      "a local server's command line",
      { flags: { transport: "cli", gradingProvider: "openai-compatible", gradingModel: "x" } },
      /no command line/,
    ],
  ])("%s", (_, given, message) => {
    expect(() => resolveGrading(sources(given as Parameters<typeof sources>[0]))).toThrow(UserError);
    expect(() => resolveGrading(sources(given as Parameters<typeof sources>[0]))).toThrow(message);
  });
});

describe("the models", () => {
  it.each([
    ["the default", {}, [null]],
    ["a flag's", { flags: { gradingModel: "a, b,,c" }, env: { ASSAY_GRADING_MODEL: "d" } }, ["a", "b", "c"]],
    ["a variable's", { env: { ASSAY_GRADING_MODEL: "a,b" }, file: { gradingModel: "c" } }, ["a", "b"]],
    ["an eval file's", { file: { gradingModel: "a,b" }, config: { gradingModel: "c" } }, ["a", "b"]],
    ["a config file's", { config: { gradingModel: "a,b" } }, ["a", "b"]],
    ["the default where only commas are said", { flags: { gradingModel: " , " } }, [null]],
  ])("are %s", (_, given, expected) => {
    expect(gradingModels(sources(given))).toEqual(expected);
  });
});

describe("a judge of one's own", () => {
  const own = ["mine", "ours"];

  it.each([
    ["nobody", {}, null],
    ["a flag", { flags: { gradingProvider: "mine" }, env: { ASSAY_GRADING_PROVIDER: "ours" } }, "mine"],
    ["a variable", { env: { ASSAY_GRADING_PROVIDER: "mine" }, file: { gradingProvider: "ours" } }, "mine"],
    ["an eval file", { file: { gradingProvider: "mine" }, config: { gradingProvider: "ours" } }, "mine"],
    ["a config file", { config: { gradingProvider: "mine" } }, "mine"],
    [
      "a config file under a variable that names another",
      { env: { ASSAY_GRADING_PROVIDER: "openai" }, config: { gradingProvider: "mine" } },
      null,
    ],
  ])("is named by %s", (_, given, expected) => {
    expect(ownJudge(sources({ ...given, own }))).toBe(expected);
  });

  it("is one of the choices that a wrong name is answered with", () => {
    const given = sources({ env: { ASSAY_GRADING_PROVIDER: "mime" }, own });
    expect(() => ownJudge(given)).toThrow(
      expect.objectContaining({
        message: 'ASSAY_GRADING_PROVIDER is "mime", which is not an allowed choice',
        hint: "choose one of anthropic, openai, openai-compatible, auto, mine, ours",
      }),
    );
  });
});
