import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

import { fixture, Ground, inside, METHODS, names, skillMd } from "./fixtures/kit.ts";
import { type HeldLayer, type LayerSpec, SharedLayers } from "./shared-layers.ts";

function held(layer: Awaited<ReturnType<SharedLayers["hold"]>>): HeldLayer {
  if (!("layer" in layer)) throw new Error(layer.reason);
  return layer;
}

async function setUp(here: Ground): Promise<{ layers: SharedLayers; spec: LayerSpec }> {
  here.write({ "files/in.txt": "in" }, here.root);
  const base = await here.base();
  return {
    layers: new SharedLayers(path.join(here.run, "layer")),
    spec: { base, overlays: [], skill: null, fixtures: [fixture(here.at("files/in.txt"), "in.txt")] },
  };
}

const layersIn = (here: Ground): string[] => names(here.run).filter((name) => name.startsWith("layer"));

describe("a layer", () => {
  it("is filled once for all who ask for the same, also at the same time", async () => {
    await using here = new Ground();
    const { layers, spec } = await setUp(here);
    const all = await Promise.all([1, 2, 3].map(() => layers.hold(spec)));
    const later = await layers.hold({ ...spec });
    expect(new Set([...all, later].map((one) => held(one).layer.directory)).size).toBe(1);
    expect(layersIn(here)).toHaveLength(1);
  });

  it("stays the same when its source changes, so that all repetitions see one skill", async () => {
    await using here = new Ground();
    const { layers, spec } = await setUp(here);
    const skill = { skill: here.skill("foo"), name: "foo", skillsFolder: ".claude/skills" };
    const before = held(await layers.hold({ ...spec, skill }));
    here.write({ "SKILL.md": skillMd("foo", "Changed.") }, skill.skill.root);
    const after = held(await layers.hold({ ...spec, skill }));
    expect(after.layer.skill).toEqual(before.layer.skill);
  });

  it.each<[string, (here: Ground, spec: LayerSpec) => Partial<LayerSpec>]>([
    ["another file", (here) => ({ fixtures: [fixture(here.at("files/in.txt"), "other.txt")] })],
    ["other text", () => ({ fixtures: [{ kind: "inline", target: "in.txt", content: "other" }] })],
    ["an overlay", (here) => ({ overlays: [here.at("files")] })],
    [
      "a skill",
      (here) => ({ skill: { skill: here.skill("foo"), name: "foo", skillsFolder: ".claude/skills" } }),
    ],
    [
      "a rival",
      (here) => ({ rivals: [{ skill: here.skill("foo"), name: "foo", skillsFolder: ".claude/skills" }] }),
    ],
  ])("is another one for %s", async (_, change) => {
    await using here = new Ground();
    const { layers, spec } = await setUp(here);
    const one = held(await layers.hold(spec));
    const other = held(await layers.hold({ ...spec, ...change(here, spec) }));
    expect(other.layer.directory).not.toBe(one.layer.directory);
  });

  it("is another one for a skill under another name, or with another body", async () => {
    await using here = new Ground();
    const { layers, spec } = await setUp(here);
    const skill = { skill: here.skill("foo"), name: "foo", skillsFolder: ".claude/skills" };
    const asked = [skill, { ...skill, name: "foo-1" }, { ...skill, body: "stub" as const }];
    const all = await Promise.all(asked.map((one) => layers.hold({ ...spec, skill: one })));
    expect(new Set(all.map((one) => held(one).layer.directory)).size).toBe(3);
  });

  it("is tried again after it could not be filled, and leaves nothing until then", async () => {
    await using here = new Ground();
    const { layers, spec } = await setUp(here);
    const overlays = [here.at("later")];
    expect(await layers.hold({ ...spec, overlays })).toMatchObject({ kind: "failed" });
    expect(layersIn(here)).toEqual([]);
    mkdirSync(here.at("later"));
    expect(held(await layers.hold({ ...spec, overlays })).layer.kind).toBe("filled");
  });

  it("goes when many others are waiting unused, but never while it is in use", async () => {
    await using here = new Ground();
    const { layers, spec } = await setUp(here);
    const used = held(await layers.hold(spec));
    for (let count = 0; count < 40; count++) {
      const fixtures = [{ kind: "inline" as const, target: "n", content: String(count) }];
      await held(await layers.hold({ ...spec, fixtures })).release();
    }
    expect(layersIn(here)).toHaveLength(33);
    expect(layersIn(here)).toContain(path.basename(used.layer.directory));
  });
});

it("is in use no longer when the trial that asked for it could not be staged", async () => {
  await using here = new Ground();
  const { layers, spec } = await setUp(here);
  const base = { ...spec.base, directory: here.at("gone") };
  await expect(here.stage(base, { ...spec, base, layers })).rejects.toThrow("ENOENT");
  const [left] = layersIn(here);
  for (let count = 0; count < 32; count++) {
    const fixtures = [{ kind: "inline" as const, target: "n", content: String(count) }];
    await held(await layers.hold({ ...spec, fixtures })).release();
  }
  expect(layersIn(here)).toHaveLength(32);
  expect(layersIn(here)).not.toContain(left);
});

describe.each(METHODS)("two trials by %s", (method) => {
  it("do not see what the other did to the files they share", async () => {
    await using here = new Ground();
    const { layers, spec } = await setUp(here);
    await using one = await here.stage(spec.base, { ...spec, layers, method });
    await using other = await here.stage(spec.base, { ...spec, layers, method });
    expect(one.layer.directory).toBe(other.layer.directory);
    inside(one, "echo changed > in.txt; echo new > new.txt");
    rmSync(here.at("files"), { recursive: true });
    expect(inside(other, "cat in.txt; ls")).toBe("inin.txt\n");
    await using third = await here.stage(spec.base, { ...spec, layers, method });
    expect(inside(third, "cat in.txt; ls")).toBe("inin.txt\n");
  });
});
