import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { assay } from "../support/command-line.ts";
import { greeterProject } from "../support/project.ts";

describe("completion of a command line", () => {
  test.each([
    { typed: ["be"], offers: ["bench"] },
    { typed: ["run", "--har"], offers: ["--harness"] },
    { typed: ["run", "--harness", "claude"], offers: ["claude-code"] },
    { typed: ["run", "--harness", "codex,sc"], offers: ["codex,scripted"] },
    { typed: ["run", "--replay-s"], offers: ["--replay-strict"] },
    { typed: ["run", "sk"], offers: ["skills/greeter"] },
    { typed: ["run", "--case", ""], offers: ["1", "2"] },
    { typed: ["show", ""], offers: ["1", "2"] },
    { typed: ["convert", "x.json", "--to", "bm"], offers: ["bmad"] },
    { typed: ["schema", "cla"], offers: ["clauditor", "claude-plugin"] },
    { typed: ["nonsense", ""], offers: [] },
    { typed: ["run", "--timeout", ""], offers: [] },
  ])("offers $offers for $typed", async ({ typed, offers }) => {
    await using project = await greeterProject([]);
    const { exitCode, out, err } = await assay(["completions", "words", "--", ...typed], {
      cwd: project.root,
    });
    expect({ exitCode, err, out: out.split("\n").filter(Boolean) }).toEqual({
      exitCode: 0,
      err: "",
      out: offers,
    });
  });

  test("names a command by its file, and needs no history and no agent", async () => {
    await using project = await greeterProject([], {
      ".claude/commands/deploy.md": "---\ndescription: Deploys the site.\n---\n\nDo it.\n",
      // Whoever plans has to read it.
      ".assay/greeter/iteration-1/journal.jsonl/": "",
    });
    const { out, err } = await assay(["completions", "words", "--", "run", ".cl"], { cwd: project.root });
    expect({ out, err }).toEqual({ out: ".claude/commands/deploy.md\n", err: "" });
  });

  test("works in bash as printed", async () => {
    await using project = await greeterProject([]);
    const { out } = await assay(["completions", "bash"], { cwd: project.root });
    writeFileSync(project.path("completion.bash"), out);
    const told = `
      assay() { printf '%s\\n' "$*" > asked; printf 'bench\\nbad choice\\n'; }
      . ./completion.bash
      COMP_WORDS=(assay run "a b" be); COMP_CWORD=3; _assay
      cat asked; printf '%s|' "\${COMPREPLY[@]}"; complete -p assay`;
    const ended = spawnSync("bash", ["-c", told], { cwd: project.root, encoding: "utf8" });
    expect(ended.stdout).toBe(
      "completions\nwords\n--\nrun\na b\nbe\nbench|bad choice|complete -o default -F _assay assay\n",
    );
  });

  describe.each([
    { shell: "zsh", args: ["-n"] },
    { shell: "fish", args: ["--no-execute"] },
  ])("in $shell", ({ shell, args }) => {
    const isMissing = spawnSync(shell, ["--version"]).error !== undefined;
    test.skipIf(isMissing)("is a script that it can read", async () => {
      await using project = await greeterProject([]);
      const { out } = await assay(["completions", shell], { cwd: project.root });
      writeFileSync(project.path("completion"), out);
      const { status, stderr } = spawnSync(shell, [...args, project.path("completion")], {
        encoding: "utf8",
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    });
  });
});
