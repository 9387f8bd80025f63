import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, journal, RUN } from "../support/project.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";

const ONE = [...RUN, "--case", "1"];

/** A stranger's project, and the home of somebody who runs it. */
async function strangers(config: object, own: object | null = null) {
  const project = await greeterProject(GOOD_REPLIES, { "assay.config.json": JSON.stringify(config) });
  const home = await tempTree(
    own === null
      ? { ".bashrc": "mine" }
      : { ".bashrc": "mine", ".config/assay/config.json": JSON.stringify(own) },
  );
  return {
    project,
    home,
    run: (args: readonly string[] = ONE, env: Readonly<Record<string, string>> = {}) =>
      assay(args, { cwd: project.root, env: { HOME: home.root, ...env } }),
    async [Symbol.asyncDispose]() {
      await project[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

async function sandboxOf(project: TempTree): Promise<string | undefined> {
  return (await journal(project.root)).find((one) => one.kind === "trial-finished")?.run.conditions.sandbox;
}

describe("a project that wants to loosen what guards the user", () => {
  it.each([
    [{ sandbox: "none" }, "sandbox: none, which only you may decide", "--sandbox none"],
    [{ sandbox: "unshare" }, "sandbox: unshare, which only you may decide", "--sandbox unshare"],
    [{ trust: true }, "trust: true, which only you may decide", "--trust,"],
    [
      { limits: "memory=900GB" },
      "limits: memory=900GB, which allows more than the default; only you may raise limits",
      "--limits memory=900GB",
    ],
    [{ command: "./agent.sh" }, "command: ./agent.sh, which only you may decide", "--command ./agent.sh"],
    [{ transport: "cli" }, "transport: cli, which only you may decide", "--transport cli"],
    [{ workspace: ".git" }, "which points outside the project", "--workspace"],
    [{ workspace: "../elsewhere" }, "which points outside the project", "--workspace"],
    [{ cassettes: "/tmp/elsewhere" }, "cassettes: /tmp/elsewhere, which points outside", "--cassettes"],
    [
      { reporter: ["terminal", "json=.git/hooks/pre-commit"] },
      "which points outside the project",
      "--reporter",
    ],
  ])("%j is refused by name, with the way to decide it", async (config, said, flag) => {
    await using there = await strangers(config);
    expect((await there.run([...ONE, "--dry-run"])).err).toContain(said);
    const { exitCode, err, out } = await there.run();
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
    expect(err).toContain("error: assay.config.json sets ");
    expect(err).toContain(said);
    expect(err).toContain(flag);
    expect(err).toContain("~/.config/assay/config.json");
  });

  it("cannot have a report written over a file of the user's, neither by dots nor by a link", async () => {
    await using there = await strangers({ reporter: ["json=report"] });
    const victim = there.home.path(".bashrc");
    await symlink(victim, there.project.path("report"));
    expect((await there.run()).err).toContain("which points outside the project");
    await writeFile(
      there.project.path("assay.config.json"),
      JSON.stringify({ reporter: [`json=${victim}`] }),
    );
    expect((await there.run()).exitCode).toBe(2);
    expect(await readFile(victim, "utf8")).toBe("mine");
  });

  it("cannot have a report written over a file of its own that is none, and may have one written anew", async () => {
    await using there = await strangers({ reporter: ["terminal", "junit=skills/greeter/SKILL.md"] });
    const skill = await readFile(there.project.path("skills/greeter/SKILL.md"), "utf8");
    expect((await there.run()).err).toContain("which would overwrite a file that is not a report of Assay's");
    expect(await readFile(there.project.path("skills/greeter/SKILL.md"), "utf8")).toBe(skill);
    const reporter = ["json", "jsonl", "junit", "markdown", "codequality"].map(
      (name) => `${name}=report-${name}`,
    );
    await writeFile(there.project.path("assay.config.json"), JSON.stringify({ reporter }));
    expect((await there.run()).exitCode).toBe(0);
    expect(await there.run()).toMatchObject({ exitCode: 0 });
  });

  it("cannot lead results out by a link, even one that leads nowhere yet", async () => {
    await using there = await strangers({ workspace: "out" });
    await symlink(there.home.path("not-there"), there.project.path("out"));
    expect((await there.run()).err).toContain("which points outside the project");
  });

  it("cannot lead results out by a link in the place where they go by default", async () => {
    await using there = await strangers({});
    await symlink(there.home.root, there.project.path(".assay"));
    const { exitCode, err } = await there.run();
    expect(exitCode).toBe(2);
    expect(err).toContain(".assay is a link that points outside the project");
    const named = [...ONE, "--workspace", there.home.path("results")];
    expect((await there.run(named)).exitCode).toBe(0);
  });

  it("is not heard where the user decides: by flag, by variable, by their own file, by naming the file", async () => {
    await using byFlag = await strangers({ sandbox: "unshare" });
    expect((await byFlag.run([...ONE, "--sandbox", "none"])).exitCode).toBe(0);
    expect(await sandboxOf(byFlag.project)).toBe("none");
    await using byVariable = await strangers({ sandbox: "unshare" });
    expect((await byVariable.run(ONE, { ASSAY_SANDBOX: "none" })).exitCode).toBe(0);
    expect(await sandboxOf(byVariable.project)).toBe("none");
    await using byFile = await strangers({ sandbox: "none" }, { sandbox: "bwrap" });
    expect((await byFile.run()).exitCode).toBe(0);
    expect(await sandboxOf(byFile.project)).toBe("bwrap");
    await using named = await strangers({ sandbox: "none" });
    expect((await named.run([...ONE, "--config", "assay.config.json"])).exitCode).toBe(0);
    expect(await sandboxOf(named.project)).toBe("none");
  });
});

describe("a project that tightens", () => {
  it("may ask for a stronger sandbox than the user does", async () => {
    await using there = await strangers({ sandbox: "bwrap" }, { sandbox: "none" });
    await there.run();
    expect(await sandboxOf(there.project)).toBe("bwrap");
  });

  it("may keep results and reports in itself, wherever the command is called", async () => {
    await using there = await strangers({ workspace: "out", reporter: ["json=reports/a.json"] });
    const env = { HOME: there.home.root };
    const args = ["run", ".", "--harness", "scripted", "--script", "../../script.json", "--case", "1"];
    expect((await assay(args, { cwd: there.project.path("skills/greeter"), env })).exitCode).toBe(0);
    const report = JSON.parse(await readFile(there.project.path("reports/a.json"), "utf8")) as unknown;
    expect(JSON.stringify(report)).toContain("greeter");
    await readFile(there.project.path("out/greeter/iteration-1/journal.jsonl"));
  });

  it("may lower a limit of the user's and never raise it", async () => {
    await using there = await strangers({ min_pass_rate: 0.1 }, { min_pass_rate: 1 });
    await writeFile(
      there.project.path("skills/greeter/evals/evals.json"),
      JSON.stringify({
        skill_name: "greeter",
        evals: [
          {
            id: 1,
            prompt: "Greet Ada",
            assay: { checks: ["Hello Ada", "Bye"].map((needle) => ({ type: "contains", needle })) },
          },
        ],
      }),
    );
    expect((await there.run()).exitCode).toBe(1);
    await writeFile(there.home.path(".config/assay/config.json"), JSON.stringify({ min_pass_rate: 0.05 }));
    expect((await there.run()).exitCode).toBe(0);
  });
});

describe("the user's own configuration", () => {
  it("lies in XDG_CONFIG_HOME where that is set, as YAML too, and says what a project may not", async () => {
    await using there = await strangers({});
    const file = there.home.path("xdg/assay/config.yaml");
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `sandbox: none\nharness: scripted\nscript: ${there.project.path("script.json")}\n`);
    const { exitCode } = await there.run(["run", "skills/greeter", "--case", "1"], {
      XDG_CONFIG_HOME: there.home.path("xdg"),
    });
    expect(exitCode).toBe(0);
    expect(await sandboxOf(there.project)).toBe("none");
  });

  it("is refused with its place when it is wrong", async () => {
    await using there = await strangers({}, { sandbx: "none" });
    const { exitCode, err } = await there.run();
    expect(exitCode).toBe(2);
    expect(err).toContain(join(there.home.root, ".config/assay/config.json"));
  });
});
