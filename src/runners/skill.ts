import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Case } from "../domain/suite.ts";
import { UserError } from "../domain/user-error.ts";
import type { Verdict } from "../domain/verdict.ts";
import type { Benchmarks } from "../operations/bench.ts";
import type { Comparison } from "../operations/compare.ts";
import type {
  AskedPrompt,
  AskedTask,
  MeasuredQuery,
  OpenTest,
  Testing,
  TestRun,
} from "../operations/testing.ts";
import { nearest } from "../operations/text.ts";
import type { BenchAsked, Measuring } from "./measuring.ts";
import { SkillRun } from "./skill-run.ts";

/** What a test gives the agent, and holds it to. */
export type TaskOptions = Pick<AskedPrompt, "files" | "checks">;

/** The skill as one test uses it. */
export class TestedSkill {
  readonly name: string;
  readonly #testing: Testing;
  readonly #test: OpenTest;
  readonly #measuring: Measuring;

  constructor(testing: Testing, test: OpenTest, measuring: Measuring) {
    this.name = testing.skill.name;
    this.#testing = testing;
    this.#test = test;
    this.#measuring = measuring;
  }

  /** Sends an agent a prompt, or several messages one after the other. Whether it uses the skill is up to the agent. */
  run(prompt: string | readonly string[], options: TaskOptions = {}): Promise<SkillRun> {
    return this.task(prompt, options).run();
  }

  /** Calls the skill by its name, with these arguments. */
  invoke(args = "", options: TaskOptions = {}): Promise<SkillRun> {
    return this.#taskOf(async () => ({ prompt: { kind: "invocation", args }, ...options })).run();
  }

  /** A prompt that is not sent yet, for `toPass`. */
  task(prompt: string | readonly string[], options: TaskOptions = {}): SkillTask {
    const turns = typeof prompt === "string" ? [prompt] : prompt;
    return this.#taskOf(async () => ({ prompt: { kind: "turns", turns }, ...options }));
  }

  /** A case of the skill's eval files, by its id. */
  case(id: string | number): SkillTask {
    return this.#taskOf(async () => ({ case: await this.#caseOf(String(id)) }));
  }

  /** The ids of the tasks in the skill's eval files. */
  async caseIds(): Promise<readonly string[]> {
    return (await this.#testing.cases()).filter(({ kind }) => kind === "task").map(({ id }) => id);
  }

  /** Asks whether a prompt makes agents take the skill up by themselves, several times. */
  async query(
    query: string,
    { shouldTrigger = true }: { readonly shouldTrigger?: boolean } = {},
  ): Promise<MeasuredQuery> {
    const [measured] = await this.#test.ask([{ query, shouldTrigger }]);
    if (measured === undefined) throw new Error("the query left no result");
    return measured;
  }

  /** Asks all trigger queries of the skill's eval files. */
  async triggers(): Promise<readonly MeasuredQuery[]> {
    const queries = (await this.#testing.cases()).filter(({ kind }) => kind === "trigger");
    if (queries.length > 0) return this.#test.ask(queries.map((one) => ({ case: one })));
    throw new UserError("testing/no-queries", `the eval files of ${this.name} have no trigger queries`, {
      hint: "add some, or ask one of your own with skill.query",
    });
  }

  /** Grades a text that an agent wrote earlier: by checks, or by those of a case. Runs no agent. */
  async grade(
    text: string,
    by: { readonly case: string | number } | { readonly checks: readonly unknown[] },
  ): Promise<{ readonly verdicts: readonly Verdict[] }> {
    const checks = "case" in by ? { case: await this.#caseOf(String(by.case)) } : by.checks;
    return { verdicts: await this.#test.checkText(text, checks) };
  }

  /** Lets judges compare two answers to a prompt without knowing whose they are. */
  async blindCompare(
    first: string,
    second: string,
    { prompt }: { readonly prompt: string },
  ): Promise<Comparison> {
    return this.#measuring.compare({ first, second, prompt });
  }

  /** Calls the skill and saves its output as a file, by default beside the test in `__captures__`; answers the path. */
  async capture(
    args = "",
    { out, ...options }: TaskOptions & { readonly out?: string } = {},
  ): Promise<string> {
    const run = await this.invoke(args, options);
    const path = resolve(dirname(this.#measuring.file), out ?? join("__captures__", `${this.name}.txt`));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, run.output ?? "");
    return path;
  }

  /** Measures the skill against no skill, or against another version of it, on its eval files. */
  bench(baseline: string, asked: BenchAsked): Promise<Benchmarks> {
    const what = `bench ${baseline} ${JSON.stringify(asked)}`;
    return this.#test.once(what, () => this.#measuring.bench(baseline, asked, this.#testing.spentUsd()));
  }

  #taskOf(asked: () => Promise<AskedTask>): SkillTask {
    return new SkillTask(asked, this.#test, this.name);
  }

  async #caseOf(id: string): Promise<Case> {
    const cases = await this.#testing.cases();
    const found = cases.find((one) => one.id === id || String(one.declaredId) === id);
    if (found !== undefined) return found;
    const ids = cases.map((one) => one.id);
    const near = nearest(id, ids);
    throw new UserError(
      "testing/no-case",
      `the eval files of ${this.name} have no case ${JSON.stringify(id)}`,
      {
        hint: near === null ? `the cases are ${ids.slice(0, 12).join(", ")}` : `did you mean ${near}?`,
      },
    );
  }
}

/** Something for an agent to do, once or many times. */
export class SkillTask {
  readonly #asked: () => Promise<AskedTask>;
  readonly #test: OpenTest;
  readonly #skill: string;

  constructor(asked: () => Promise<AskedTask>, test: OpenTest, skill: string) {
    this.#asked = asked;
    this.#test = test;
    this.#skill = skill;
  }

  async run(): Promise<SkillRun> {
    return new SkillRun(await this.#test.run(await this.#asked()), this.#test, this.#skill);
  }

  /** So many runs, to be held to a rate. */
  async sample(wanted: { readonly runs: number; readonly rate: number }): Promise<readonly TestRun[]> {
    return this.#test.sample(await this.#asked(), wanted);
  }
}
