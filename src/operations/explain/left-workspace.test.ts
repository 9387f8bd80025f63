import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { tempTree } from "../../../test/support/temp-tree.ts";
import type { SubjectFile } from "../../grade/subject.ts";
import type { Variant } from "../../domain/trial.ts";
import type { FoundRun } from "../find-run.ts";
import { iterationFolder } from "../../store/layout.ts";
import { layOutWorkspace } from "./left-workspace.ts";

const DIGEST = "0123456789abcdef0123456789abcdef";

async function results() {
  const tree = await tempTree({
    "greeter/iteration-1/run.json": "{}",
    "greeter/skills/0123456789abcdef/SKILL.md": "Say hello.",
    "greeter/skills/0123456789abcdef/data/names.txt": "Ada",
    "stored/made.txt": "made",
    "stored/skill.md": "Say nothing.",
    "ws/.keep": "",
    "private.txt": "private",
  });
  onTestFinished(() => tree[Symbol.asyncDispose]());
  return tree;
}

/** Only what is looked at. */
function foundIn(
  root: string,
  variant: Variant,
  kind: "task" | "trigger" = "task",
  suite = "greeter",
): FoundRun {
  return {
    folder: iterationFolder(join(root, "greeter", "iteration-1")),
    state: { iteration: { suite, skill: { path: "x", sha256: DIGEST } }, cases: [{ id: "1", kind }] },
    finished: { trial: { caseId: "1", variant } },
  } as unknown as FoundRun;
}

const file = (path: string, stored: string | null): SubjectFile => ({
  path,
  origin: "created",
  stored,
  bytes: 1,
  sha256: null,
});

function listed(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== ".keep");
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).toSorted();
}

describe("the workspace as a run left it", () => {
  it("has the skill, and what the run made or changed over it", async () => {
    const { root, path } = await results();
    const skillsFolder = ".claude/skills";
    const files = [
      file("out/made.txt", path("stored/made.txt")),
      file(".claude/skills/greeter/SKILL.md", path("stored/skill.md")),
      file("too-large.bin", null),
    ];
    await layOutWorkspace(path("ws"), foundIn(root, "with_skill"), { files, skillsFolder });
    expect(listed(path("ws"))).toEqual([
      ".claude/skills/greeter/SKILL.md",
      ".claude/skills/greeter/data/names.txt",
      "out/made.txt",
    ]);
    expect(readFileSync(path("ws/.claude/skills/greeter/SKILL.md"), "utf8")).toBe("Say nothing.");
  });

  it.each<[Variant, "task" | "trigger"]>([
    ["without_skill", "task"],
    ["old_skill", "task"],
    ["inline", "task"],
    ["with_skill", "trigger"],
  ])("has no skill where %s of a %s had another or none", async (variant, kind) => {
    const { root, path } = await results();
    await layOutWorkspace(path("ws"), foundIn(root, variant, kind), {
      files: [],
      skillsFolder: ".agents/skills",
    });
    expect(listed(path("ws"))).toEqual([]);
  });

  it("is written nowhere else, whatever the results say", async () => {
    const { root, path } = await results();
    const before = listed(root);
    const files = [file("../escaped.txt", path("private.txt")), file("/escaped.txt", path("private.txt"))];
    await layOutWorkspace(path("ws"), foundIn(root, "with_skill", "task", "../../../escaped"), {
      files,
      skillsFolder: ".claude/skills",
    });
    expect(listed(root).filter((name) => !before.includes(name))).toEqual([
      "ws/.claude/skills/escaped/SKILL.md",
      "ws/.claude/skills/escaped/data/names.txt",
      "ws/escaped.txt",
    ]);
  });

  it("follows no link of a kept skill that leads out of it", async () => {
    const { root, path } = await results();
    const kept = path("greeter/skills/0123456789abcdef");
    symlinkSync("data", join(kept, "inner"));
    symlinkSync(path("stored"), join(kept, "absolute"));
    symlinkSync("../../../stored", join(kept, "relative"));
    const at = (name: string) => file(`.claude/skills/greeter/${name}/new.txt`, path("private.txt"));
    const before = listed(path("stored"));
    await layOutWorkspace(path("ws"), foundIn(root, "with_skill"), {
      files: ["inner", "absolute", "relative"].map(at),
      skillsFolder: ".claude/skills",
    });
    expect(listed(path("stored"))).toEqual(before);
    expect(listed(join(kept, "data"))).toEqual(["names.txt"]);
    expect(listed(path("ws/.claude/skills/greeter/data"))).toEqual(["names.txt", "new.txt"]);
  });
});
