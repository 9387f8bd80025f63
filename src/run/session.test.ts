import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { fileBelow, keepSession } from "./session.ts";

/** A trial's home with these files, and the folder a session would be kept in. */
function ground(files: Readonly<Record<string, string>> = {}) {
  const root = mkdtempSync(join(tmpdir(), "session-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const home = join(root, "home");
  mkdirSync(home);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), content);
  }
  return { root, home, folder: join(root, "run-1", "session") };
}

const client = {
  sessionFile: (home: string, id: string) => fileBelow(home, (name) => name === `${id}.jsonl`),
};

describe("keeping a session", () => {
  it("copies the client's record under its own name", async () => {
    const { home, folder } = ground({ "projects/a/s1.jsonl": "one\n", "projects/a/s2.jsonl": "two\n" });
    expect(await keepSession(client, { id: "s2", home, folder })).toEqual({ file: "s2.jsonl", notes: [] });
    expect(readFileSync(join(folder, "s2.jsonl"), "utf8")).toBe("two\n");
  });

  it.each<[string, Parameters<typeof keepSession>[0], { id: string | null; kept?: boolean }]>([
    ["the client keeps none", {}, { id: "s1" }],
    ["the client named none", client, { id: null }],
    ["nobody asked for it", client, { id: "s1", kept: false }],
    ["there is no record of it", client, { id: "other" }],
    ["the client knows of none", { sessionFile: async () => null }, { id: "s1" }],
  ])("makes nothing where %s", async (_, harness, { id, kept = true }) => {
    const { home, folder } = ground({ "s1.jsonl": "one\n" });
    expect(await keepSession(harness, { id, home, folder: kept ? folder : null })).toEqual({
      file: null,
      notes: [],
    });
    expect(existsSync(folder)).toBe(false);
  });

  it("says so when a session is too large, and keeps no half of it", async () => {
    const { home, folder } = ground({ "s1.jsonl": "0123456789" });
    expect(await keepSession(client, { id: "s1", home, folder }, 10)).toEqual({
      file: "s1.jsonl",
      notes: [],
    });
    const { file, notes } = await keepSession(client, { id: "s1", home, folder: `${folder}-2` }, 9);
    expect({ file, notes }).toEqual({
      file: null,
      notes: ["the agent's session was not kept: its 10 bytes are more than 9"],
    });
    expect(existsSync(`${folder}-2`)).toBe(false);
  });

  it.each(["file", "folder"] as const)(
    "follows no link that an agent may have put there: a %s",
    async (kind) => {
      const { root, home, folder } = ground();
      mkdirSync(join(root, "elsewhere"));
      writeFileSync(join(root, "elsewhere", "s1.jsonl"), "private\n");
      if (kind === "file") symlinkSync(join(root, "elsewhere", "s1.jsonl"), join(home, "s1.jsonl"));
      else symlinkSync(join(root, "elsewhere"), join(home, "projects"));
      const at = kind === "file" ? "s1.jsonl" : "projects/s1.jsonl";
      const misled = { sessionFile: async () => join(home, at) };
      expect(await keepSession(misled, { id: "s1", home, folder })).toEqual({ file: null, notes: [] });
      expect(await keepSession(client, { id: "s1", home, folder })).toEqual({ file: null, notes: [] });
    },
  );
});
