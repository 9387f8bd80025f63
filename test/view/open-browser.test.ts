import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { delimiter, dirname } from "node:path";
import { expect, it, vi } from "vitest";
import { openBrowser } from "../../src/viewer/server.ts";
import { tempTree } from "../support/temp-tree.ts";

const URL_GIVEN = "http://127.0.0.1:8123/iteration?skill=a%20b&n=1&token=very-secret";

/** Stands for the desktop's own: writes down what it was called with, as everybody can see it. */
const RECORDER = `#!/bin/sh
printf '%s\\n' "$#" "$@" > "$RECORD.part" && mv "$RECORD.part" "$RECORD"
`;

async function desktop() {
  const tree = await tempTree();
  await writeFile(tree.path("xdg-open"), RECORDER);
  await chmod(tree.path("xdg-open"), 0o755);
  const env = {
    PATH: [tree.root, process.env["PATH"]].join(delimiter),
    DISPLAY: ":0",
    RECORD: tree.path("called"),
  };
  return { tree, env };
}

it.skipIf(process.platform !== "linux")(
  "tells the browser the link through a file of this user alone, not through words that everybody can read",
  async () => {
    const { tree, env } = await desktop();
    await using _ = tree;
    const opened = await openBrowser(URL_GIVEN, { env });
    const called = await vi.waitFor(() => readFile(env.RECORD, "utf8"), { timeout: 15_000, interval: 50 });
    const [count, path = ""] = called.trim().split("\n");
    expect(count).toBe("1");
    expect(called).not.toContain("very-secret");
    expect([(await stat(path)).mode & 0o777, (await stat(dirname(path))).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    const page = await readFile(path, "utf8");
    expect(page).toContain(`content="0;url=${URL_GIVEN.replaceAll("&", "&amp;")}"`);
    await opened?.[Symbol.asyncDispose]();
    await expect(stat(dirname(path))).rejects.toThrow("ENOENT");
  },
);

it.each([
  ["over SSH", { DISPLAY: ":0", SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }],
  ["in CI", { DISPLAY: ":0", CI: "true" }],
])("opens nothing %s", async (_, env) => {
  expect(await openBrowser(URL_GIVEN, { env })).toBeNull();
});
