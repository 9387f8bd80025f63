import { readFile, rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { aPair, comparisonReplyOf, shownOutputs, wordedJudge } from "../../test/support/comparing.ts";
import { tempTree } from "../../test/support/temp-tree.ts";
import type { SubjectFile } from "../grade/subject.ts";
import { secretMask } from "../lib/secret-mask.ts";
import { comparisonFolder } from "../store/layout.ts";
import { compareBlind } from "./compare-blind.ts";
import type { BlindOutcome } from "./outcome.ts";
import { agreementWith, askPerson, type HumanRequest } from "./human.ts";

async function request(root: string, answer: (text: string) => string, seed = 3): Promise<HumanRequest> {
  return {
    pairs: await Promise.all(
      ["1", "2", "3", "4"].map((id) =>
        aPair(root, { first: `a plain answer ${id} of v1-draft`, second: `a good answer ${id}` }, { id }),
      ),
    ),
    versions: { first: "iteration-1", second: "iteration-2" },
    markers: ["v1-draft"],
    seed,
    folder: comparisonFolder(`${root}/grading`),
    mask: secretMask([]),
    ask: async (text) => answer(text),
  };
}

/** Where the good answer stands. */
const good = (text: string) => (text.indexOf("good") < text.indexOf("plain") ? "1" : "2");

describe("a person", () => {
  it("sees the pairs blind and in both orders, and is understood", async () => {
    await using tree = await tempTree();
    const seen: string[] = [];
    const asked = await request(tree.root, (text) => {
      seen.push(text);
      return good(text);
    });
    const answers = await askPerson(asked);
    expect(answers.map(({ winner }) => winner)).toEqual(["second", "second", "second", "second"]);
    expect(new Set(answers.map((answer) => answer.shown_first)).size).toBe(2);
    expect(seen[0]).toContain("Pair 1 of 4, case 1");
    expect(seen[0]).toContain("Do it");
    expect(seen.join()).not.toMatch(/v1-draft|first\.txt|second\.txt/);
  });

  it("is told of files that cannot be shown, but not whose they are", async () => {
    await using tree = await tempTree({ "new_skill/chart.dat": "\0\x01", "new_skill/in.csv": "a,b\n" });
    const asked = await request(tree.root, () => "q");
    const file = { bytes: 2, sha256: null, origin: "created" } as const;
    const files: readonly SubjectFile[] = [
      { ...file, path: "chart.dat", stored: tree.path("new_skill/chart.dat") },
      { ...file, path: "huge.iso", stored: null },
      { ...file, path: "gone.txt", stored: tree.path("new_skill/gone.txt") },
      { ...file, path: "in.csv", stored: tree.path("new_skill/in.csv"), origin: "input" },
    ];
    const pairs = asked.pairs.map((pair) => ({
      ...pair,
      second: { ...pair.second, subject: { ...pair.second.subject, files } },
    }));
    const seen: string[] = [];
    await askPerson({
      ...asked,
      pairs,
      ask: async (text) => {
        seen.push(text);
        return "q";
      },
    });
    const outputs = seen[0]?.split(/-+ output [12] -+/) ?? [];
    const made = outputs.find((text) => text.includes("good answer")) ?? "";
    expect(made).toContain('[file "chart.dat"]\n(binary)');
    expect(made).toContain('[file "huge.iso"]\n(too large to be kept)');
    expect(made).toContain('[file "gone.txt"]\n(the stored copy cannot be read)');
    expect(seen[0]).not.toContain("in.csv");
    expect(seen[0]).not.toContain("new_skill");
  });

  it("is told that an output cannot be read, but not where it lies", async () => {
    await using tree = await tempTree();
    const asked = await request(tree.root, () => "q");
    await rm(`${tree.root}/1-1-second.txt`);
    const seen: string[] = [];
    await askPerson({
      ...asked,
      ask: async (text) => {
        seen.push(text);
        return "q";
      },
    });
    expect(seen[0]).toContain("(it cannot be read)");
    expect(seen[0]).not.toMatch(/second\.txt|ENOENT/);
  });

  it("may tie, skip, mistype and stop, and continues later where they stopped", async () => {
    await using tree = await tempTree();
    const lines = ["?", "t", "s", "1", "q"];
    const first = await askPerson(await request(tree.root, () => lines.shift() ?? ""));
    expect(first.map(({ case_id, winner }) => [case_id, winner === "TIE"])).toEqual([
      ["1", true],
      ["3", false],
    ]);
    const asked: string[] = [];
    const second = await askPerson(
      await request(tree.root, (text) => {
        asked.push(text.split("\n")[0] ?? "");
        return "t";
      }),
    );
    expect(asked).toEqual(["Pair 2 of 4, case 2", "Pair 4 of 4, case 4"]);
    expect(second.map(({ case_id }) => case_id)).toEqual(["1", "2", "3", "4"]);
    const file = JSON.parse(await readFile(`${tree.root}/grading/human.json`, "utf8")) as {
      answers: unknown[];
    };
    expect(file.answers).toHaveLength(4);
  });

  it("who never answers is not asked forever", async () => {
    await using tree = await tempTree();
    await expect(askPerson(await request(tree.root, () => "maybe"))).rejects.toThrow(
      "could not be understood",
    );
  });

  it("keeps a file that cannot be read", async () => {
    await using tree = await tempTree({ "grading/human.json": "{" });
    await expect(askPerson(await request(tree.root, good))).rejects.toThrow("human.json cannot be read");
    expect(await readFile(tree.path("grading/human.json"), "utf8")).toBe("{");
  });

  it("does not take answers about other runs for these", async () => {
    await using tree = await tempTree();
    const asked = await request(tree.root, good);
    await askPerson(asked);
    const others = asked.pairs.map((pair) => ({ ...pair, second: { ...pair.second, name: "another" } }));
    const answers = await askPerson({ ...asked, pairs: others, ask: async () => "t" });
    expect(answers.map(({ winner }) => winner)).toEqual(["TIE", "TIE", "TIE", "TIE"]);
    await writeFile(`${tree.root}/kept`, await readFile(asked.folder.human));
    expect(
      (JSON.parse(await readFile(`${tree.root}/kept`, "utf8")) as { answers: unknown[] }).answers,
    ).toHaveLength(8);
  });
});

it("agreement is counted over the pairs that both have judged", async () => {
  await using tree = await tempTree();
  const asked = await request(tree.root, (text) => (text.includes("case 4") ? "t" : good(text)));
  const judge = wordedJudge((question) => {
    const [one, two] = shownOutputs(question);
    if (one.includes("answer 1")) return comparisonReplyOf(3, 3);
    return comparisonReplyOf(one.includes("good") ? 5 : 3, two.includes("good") ? 5 : 3);
  });
  const outcome = await compareBlind(
    {
      ...asked,
      versions: { first: "old", second: "new" },
      judges: 3,
      judgeFor: (one) => (one.id === "2" ? null : judge),
      concurrency: 1,
    },
    new AbortController().signal,
  );
  const agreement = agreementWith(await askPerson(asked), outcome);
  expect(agreement).toMatchObject({ compared: 3, agreed: 1 });
  expect(agreement.kappa).toBeCloseTo(-0.5, 10);
  expect(agreement.kappaInterval).toBeNull();
});

it("kappa has an interval over resampled pairs, once there are enough of them", () => {
  const winners = ["first", "second", "TIE"] as const;
  const said = Array.from({ length: 24 }, (_, at) => ({
    person: winners[at % 3] ?? "TIE",
    judges: winners[(at % 4 === 0 ? at + 1 : at) % 3] ?? "TIE",
  }));
  const answers = said.map(({ person }, at) => ({
    case_id: String(at),
    repetition: 1,
    first: "a",
    second: "b",
    shown_first: "first" as const,
    winner: person,
  }));
  const pairs = said.map(({ judges }, at) => ({
    caseId: String(at),
    repetition: 1,
    winner: judges,
    votes: [judges],
  }));
  const { kappa, kappaInterval } = agreementWith(answers, { pairs } as unknown as BlindOutcome);
  expect(kappa).toBeCloseTo(0.625, 6);
  expect(kappaInterval?.low).toBeGreaterThan(0.2);
  expect(kappaInterval?.low).toBeLessThan(kappa ?? 0);
  expect(kappaInterval?.high).toBeGreaterThan(kappa ?? 1);
  expect(kappaInterval?.high).toBeLessThan(1);
});
