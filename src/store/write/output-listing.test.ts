import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { leftOut } from "../../domain/left-out.ts";
import type { Outcome } from "../../domain/run.ts";
import { sampleRun } from "../fixtures/samples.ts";
import { outputListing } from "./output-listing.ts";

let outputs: string;
beforeEach(async () => {
  outputs = await mkdtemp(join(tmpdir(), "outputs-"));
});
afterEach(() => rm(outputs, { recursive: true, force: true }));

async function put(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(outputs, path)), { recursive: true });
  await writeFile(join(outputs, path), content);
}

function listing(outcome: Outcome = { status: "completed" }): string | null {
  return outputListing(outputs, { run: sampleRun({ outcome, changes: [] }), transcript: [] });
}

describe("what skill-creator's viewer would not show", () => {
  it("is nothing where all files lie right in outputs, or the agent made a FILES.md", async () => {
    await put("card.md", "Dear Ada");
    expect(listing()).toBeNull();
    await put("deep/FILES.md", "unseen");
    expect(listing()).toContain("unseen");
    await put("FILES.md", "the agent's own");
    expect(listing()).toBeNull();
  });

  it("is left unsaid where the agent made a folder of that name", async () => {
    await put("FILES.md/one.txt", "one");
    expect(listing()).toBeNull();
  });

  it("are the text files in folders, in order, each in a fence that it cannot leave", async () => {
    await put("top.md", "seen anyway");
    await put("docs/b.md", "# not a heading of ours\n```sh\nls\n```");
    await put("docs/a/one.txt", "größer\n");
    expect(listing()).toBe(
      [
        "# Files\n\nnone\n\n# Answer\n\nnone",
        "# docs/a/one.txt\n\n```\ngrößer\n```",
        "# docs/b.md\n\n````\n# not a heading of ours\n```sh\nls\n```\n````\n",
      ].join("\n\n"),
    );
  });

  it.each([
    ["a NUL byte", new Uint8Array([65, 0, 66])],
    ["invalid UTF-8", new Uint8Array([0xff, 0xfe, 0x41])],
    ["more than is read", "x".repeat(50_001)],
  ])("leaves a file with %s to its line in the list", async (_, content) => {
    await put("docs/it.bin", content);
    expect(listing()).toBe("# Files\n\nnone\n\n# Answer\n\nnone\n");
  });

  it("stays small, however many files there are", async () => {
    for (let n = 0; n < 6; n++) await put(`docs/${n}.txt`, "x".repeat(49_000));
    expect(listing()?.match(/^# docs/gm)).toHaveLength(4);
  });

  it("follows no link", async () => {
    await put("docs/real.txt", "real");
    await symlink("/etc/hostname", join(outputs, "docs", "link.txt"));
    expect(listing()).not.toContain("link.txt");
  });
});

it.each<[Outcome, string]>([
  [leftOut("api", "overloaded"), "# Ended\n\napi: overloaded\n\n# Files"],
  [{ status: "timed-out", afterMs: 5 }, "# Ended\n\ntimed-out\n\n# Files"],
])("says of a run that was cut off how it ended: %j", (outcome, expected) => {
  expect(listing(outcome)).toContain(expected);
});
