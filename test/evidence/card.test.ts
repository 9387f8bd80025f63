import { generateKeyPairSync } from "node:crypto";
import { existsSync } from "node:fs";
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { describe, expect, it, vi } from "vitest";
import type { Card } from "../../src/domain/card.ts";
import { card, checkCard, verifyCard } from "../../src/operations/card.ts";
import { assay } from "../support/command-line.ts";
import { BENCH, greeters, HELPS, json, SKILL } from "../support/greeters.ts";
import { machineIn } from "../support/machine.ts";
import type { TempTree } from "../support/temp-tree.ts";
import {
  FIRE_CANARY,
  run as runTriggers,
  SHOULD,
  SHOULD_NOT,
  triggerProject,
} from "../support/trigger-project.ts";

const CARD = "assay-card.json";

// Each test runs a benchmark.
vi.setConfig({ testTimeout: 120_000 });

async function measured(): Promise<TempTree> {
  const project = await greeters(6, HELPS);
  const bench = await assay([...BENCH, "--runs", "1"], { cwd: project.root });
  expect(bench.exitCode).toBe(0);
  return project;
}

async function edit(project: TempTree, change: (card: Record<string, object>) => void, to = CARD) {
  const made = JSON.parse(await readFile(project.path(CARD), "utf8")) as Record<string, object>;
  change(made);
  await writeFile(project.path(to), JSON.stringify(made));
}

describe("assay card", () => {
  it("says what was measured of the skill as it is now, and holds against the journal", async () => {
    await using project = await measured();
    const made = await assay(["card"], { cwd: project.root });
    expect(made).toMatchObject({ exitCode: 0, err: "" });
    expect(made.out).toMatch(
      /^better than no skill on 6 cases: \+100 points \(95 % interval \+\d+ to \+100\)\n/,
    );
    expect(made.out).toContain("wrote assay-card.json and assay-card.svg");
    const written = await json<Card>(project.path(CARD));
    expect(written).toMatchObject({
      kind: "assay-evidence-card",
      skill: { name: "greeter", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      evidence: [
        {
          iteration: 1,
          purpose: "bench",
          agent: "scripted",
          cases: 6,
          runs: 6,
          missing: { runs: 0, checks: 0 },
          checks: { passed: 6, total: 6, rate: 1, high: 1 },
          benchmark: { baseline: "without_skill", verdict: "better", lift: 1, cases: 6 },
          triggers: null,
        },
      ],
      signature: null,
    });
    const verified = await assay(["card", "--verify", CARD], { cwd: project.root });
    expect(verified.out).toContain("every number matches the journal of iteration 1");
    expect(verified).toMatchObject({ exitCode: 0, err: "" });
    expect(verified.out).toContain("The card holds.");
  });

  it("has the same bytes each time but for the date, and a picture without scripts or links", async () => {
    await using project = await measured();
    const machine = { ...machineIn(project.root), now: () => new Date(0) };
    const first = await card({}, { machine });
    const read = () => Promise.all([first.path, first.picture].map((path) => readFile(path, "utf8")));
    const bytes = await read();
    await card({}, { machine });
    expect(await read()).toEqual(bytes);
    await card({}, { machine: { ...machine, now: () => new Date(86_400_000) } });
    const later = await read();
    expect(later.map((one) => one.replaceAll("1970-01-02", "1970-01-01"))).toEqual(bytes);
    expect(bytes[1]).not.toMatch(/<script|href|<style|url\(/);
    expect(bytes[1]).toContain("#2da44e");
  });

  it("names every number that was edited, and counts keys that no card has", async () => {
    await using project = await measured();
    await card({}, { machine: machineIn(project.root) });
    await edit(project, (made) => {
      const [evidence] = made["evidence"] as [Record<string, Record<string, unknown>>];
      (evidence["benchmark"] as { lift: number }).lift = 0.5;
      (evidence as Record<string, unknown>)["stars"] = 5;
    });
    const { exitCode, out } = await assay(["card", "--verify", CARD], { cwd: project.root });
    expect(exitCode).toBe(1);
    expect(out).toContain("evidence[0].benchmark.lift: the card says 0.5, the journal says 1");
    expect(out).toContain("evidence[0].stars: the card says 5, the journal says null");
    expect(out).not.toContain("evidence[0].checks");
    expect(out).toContain("The card does not hold.");
  });

  it("turns gray when the skill changes, and refuses to speak for what was not measured", async () => {
    await using project = await measured();
    const machine = machineIn(project.root);
    await card({}, { machine });
    expect(await checkCard({ card: CARD }, { machine })).toMatchObject({ fresh: true });
    await appendFile(project.path("skills/greeter/SKILL.md"), "Say it twice.\n");
    const check = await assay(["card", "--check", CARD], { cwd: project.root });
    expect(check).toMatchObject({ exitCode: 1, err: "" });
    const svg = await readFile(project.path("assay-card.svg"), "utf8");
    expect(svg).toContain("OUTDATED");
    expect(svg).not.toContain("#2da44e");
    expect(await verifyCard({ card: CARD }, { machine })).toMatchObject({
      holds: false,
      differences: [],
      fresh: false,
    });
    const again = await assay(["card", "--out", "new.json"], { cwd: project.root });
    expect(again.exitCode).toBe(2);
    expect(again.err).toContain("card/nothing-measured");
    expect(existsSync(project.path("new.json"))).toBe(false);
    const badge = await assay(["trend", "--badge"], { cwd: project.root });
    expect(JSON.parse(badge.out)).toMatchObject({
      message: "measured on another version",
      color: "lightgrey",
    });
    await writeFile(project.path("skills/greeter/SKILL.md"), SKILL("Say Hello."));
    expect(await checkCard({ card: CARD }, { machine })).toMatchObject({ fresh: true });
    expect(await readFile(project.path("assay-card.svg"), "utf8")).toContain("#2da44e");
  });

  it("may lie in the skill under its own name, and under no other", async () => {
    await using project = await measured();
    const inside = { cwd: project.path("skills/greeter") };
    const refused = await assay(["card", "greeter", "--out", "card.json"], inside);
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.err).toContain("card/inside-skill");
    expect((await assay(["card", "greeter"], inside)).exitCode).toBe(0);
    expect((await readdir(inside.cwd)).sort()).toEqual(["SKILL.md", CARD, "assay-card.svg", "evals"]);
    expect((await assay(["card", "--check", CARD], inside)).exitCode).toBe(0);
    expect((await assay(["card", "--verify", CARD], inside)).exitCode).toBe(0);
  });

  it("counts neither single cases nor smoke runs", async () => {
    await using project = await greeters(2, HELPS);
    await assay([...BENCH, "--case", "1"], { cwd: project.root });
    await assay([...BENCH, "--smoke"], { cwd: project.root });
    const made = await assay(["card"], { cwd: project.root });
    expect(made).toMatchObject({ exitCode: 2, out: "" });
    expect(made.err).toContain("card/nothing-measured");
    expect(existsSync(project.path(CARD))).toBe(false);
  });

  it("has trigger precision and recall with their intervals", async () => {
    const arms = `${FIRE_CANARY}\n*greet*) fire "$ASSAY_SKILL" ;;`;
    await using project = await triggerProject({ queries: [SHOULD, SHOULD_NOT], arms });
    await runTriggers(project);
    const { card: made } = await card({}, { machine: machineIn(project.root) });
    expect(made.evidence).toMatchObject([
      {
        benchmark: null,
        triggers: {
          valid: true,
          queries: 2,
          precision: { passed: 1, total: 1, rate: 1, high: 1 },
          recall: { passed: 1, total: 1, rate: 1, high: 1 },
        },
      },
    ]);
    expect(made.evidence[0]?.triggers?.precision.low).toBeLessThan(1);
    expect((await assay(["card", "--verify", CARD], { cwd: project.root })).exitCode).toBe(0);
  });
});

describe("a signed card", () => {
  it("shows whose key it is, and does not survive an edit or another key", async () => {
    await using project = await measured();
    const mine = await keyPair(project, "mine");
    await keyPair(project, "other");
    const made = await assay(["card", "--sign", "mine.pem"], { cwd: project.root });
    expect(made.exitCode).toBe(0);
    const [fingerprint] = /SHA256:[A-Za-z0-9+/]{43}/.exec(made.out) ?? [];
    const verify = (...more: string[]) => assay(["card", "--verify", CARD, ...more], { cwd: project.root });
    expect((await verify()).out).toContain(`signed with the key in the card, ${fingerprint}: compare`);
    const trusted = await verify("--public-key", "mine.pub.pem");
    expect(trusted.exitCode).toBe(0);
    expect(trusted.out).toContain(`signed with the key you named, ${fingerprint}`);
    const stranger = await verify("--public-key", "other.pub.pem");
    expect(stranger.exitCode).toBe(1);
    expect(stranger.out).toContain(`bad signature: the card is signed with ${fingerprint}, not with SHA256:`);
    expect(await readFile(project.path(CARD), "utf8")).not.toContain(mine.slice(40, 80));
    // The date is in no journal: only the signature holds it.
    await edit(project, (card) => Object.assign(card, { date: "2031-01-01T00:00:00.000Z" }));
    const edited = await verify();
    expect(edited.exitCode).toBe(1);
    expect(edited.out).toContain("bad signature: the card was changed since");
    const picture = await readFile(project.path("assay-card.svg"), "utf8");
    const checked = await assay(["card", "--check", CARD], { cwd: project.root });
    expect(checked.exitCode).toBe(2);
    expect(checked.err).toContain("card/bad-signature");
    expect(await readFile(project.path("assay-card.svg"), "utf8")).toBe(picture);
  });

  it("is not written with a key that is none, of another kind, or not there", async () => {
    await using project = await measured();
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    await writeFile(project.path("rsa.pem"), privateKey.export({ format: "pem", type: "pkcs8" }));
    await writeFile(project.path("words.pem"), "correct horse battery staple");
    for (const [file, words] of [
      ["rsa.pem", "it is of type rsa, not ed25519"],
      ["words.pem", "card/bad-key"],
      ["none.pem", "card/no-key"],
    ] as const) {
      const { exitCode, err } = await assay(["card", "--sign", file], { cwd: project.root });
      expect(exitCode).toBe(2);
      expect(err).toContain(words);
      expect(err).not.toContain("battery");
    }
    expect(existsSync(project.path(CARD))).toBe(false);
  });
});

describe("a card that cannot be verified", () => {
  it.each([
    ["no JSON", "{", "card/malformed"],
    ["a list", "[]", "card/malformed"],
    ["another file", '{"name":"x"}', "card/malformed"],
    ["a picture", "<svg/>", "card/malformed"],
  ])("is %s", async (_, text, code) => {
    await using project = await greeters(1, HELPS);
    await writeFile(project.path(CARD), text);
    for (const way of ["--verify", "--check"]) {
      const { exitCode, err, out } = await assay(["card", way, CARD], { cwd: project.root });
      expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
      expect(err).toContain(code);
    }
    expect(existsSync(project.path("assay-card.svg"))).toBe(false);
  });

  it("has a number out of range, no journal any more, or is about another skill", async () => {
    await using project = await measured();
    await card({}, { machine: machineIn(project.root) });
    await edit(project, (made) => Object.assign(made, { evidence: [] }), "empty.json");
    await edit(project, (made) => Object.assign(made["skill"] ?? {}, { sha256: "abc" }), "digest.json");
    await edit(project, (made) => Object.assign(made["skill"] ?? {}, { name: "other" }), "other.json");
    await mkdir(project.path("skills/other"));
    await writeFile(
      project.path("skills/other/SKILL.md"),
      "---\nname: other\ndescription: Other.\n---\n\nHi.\n",
    );
    const verify = (...words: string[]) => assay(["card", ...words], { cwd: project.root });
    expect((await verify("--verify", "empty.json")).err).toContain("evidence");
    expect((await verify("--verify", "digest.json")).err).toContain(
      "skill.sha256 must be the sha256 of a skill",
    );
    expect((await verify("--verify", "other.json", "greeter")).err).toContain("card/other-skill");
    expect((await verify("--check", CARD, "skills/other")).err).toContain("card/other-skill");
    expect((await verify("--verify", "nowhere.json")).err).toContain("card/not-found");
    await rm(project.path(".assay/greeter/iteration-1/journal.jsonl"));
    const gone = await verify("--verify", CARD);
    expect(gone.exitCode).toBe(2);
    expect(gone.err).toContain("card/no-journal");
  });
});

async function keyPair(project: TempTree, name: string): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const pem = privateKey.export({ format: "pem", type: "pkcs8" });
  await writeFile(project.path(`${name}.pem`), pem);
  await writeFile(project.path(`${name}.pub.pem`), publicKey.export({ format: "pem", type: "spki" }));
  return String(pem);
}
