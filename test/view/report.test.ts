import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ask as request, type StaticData } from "../../src/viewer/api.ts";
import { report } from "../../src/viewer/report.ts";
import { assay } from "../support/command-line.ts";
import { machineIn } from "../support/machine.ts";
import { greeterProject, RUN } from "../support/project.ts";
import { visit } from "./kit.ts";

const HOME = "/home/adalovelace";
const HOSTILE = "</script><script>alert(1)</script><!-- <script>";

/** What an agent said and wrote that must not be shared, or must do nothing. */
const REPLIES = [
  { when: { prompt: "Ada" }, steps: [{ text: `Hello Ada ${HOSTILE} ${HOME}/notes by adalovelace` }] },
  {
    when: { prompt: "Bob" },
    steps: [{ write: { path: "bob.txt", content: `${HOME}/bob ${HOSTILE}\n` } }, { text: "Done" }],
  },
];

const APP = async () => ({ script: "/* app */ '</script>'", style: "body { color: red }" });

let project: Awaited<ReturnType<typeof greeterProject>>;
beforeAll(async () => {
  project = await greeterProject(REPLIES);
  await assay(RUN, { cwd: project.root });
});
afterAll(() => project[Symbol.asyncDispose]());

const doorOf = (env: Readonly<Record<string, string>> = {}, home = HOME) => ({
  machine: { ...machineIn(project.root), home, env },
});

async function written(path: string): Promise<{ readonly html: string; readonly data: StaticData }> {
  const html = await readFile(path, "utf8");
  const json = /<script type="application\/json" id="assay-data">(.*?)<\/script>/s.exec(html)?.[1] ?? "";
  return { html, data: JSON.parse(json) as StaticData };
}

it("holds what the server answers, by the same requests, and nothing that ends a script", async () => {
  const made = await report({ out: "out/report.html" }, doorOf({}, "/nonexistent"), { app: APP });
  await made.write();
  expect(made.path).toBe(project.path("out/report.html"));
  const { html, data } = await written(made.path);
  expect(html.match(/<script/gi)).toHaveLength(2);
  expect(html.match(/<\/script/gi)).toHaveLength(2);
  expect(html).toContain("Content-Security-Policy");
  expect(html).not.toMatch(/(?:src|href)="(?!data:)/);
  await using visitor = await visit(project.root);
  const at = { skill: "greeter", n: 1 };
  const run = { ...at, trial: "2/with_skill/run-1" };
  const file = { area: "outputs", path: "bob.txt" } as const;
  const asked = [
    request.overview(),
    request.iteration(at),
    request.triggers(at),
    request.feedback(at),
    request.run(run),
    request.timelineIndex(run),
    request.timeline(run, 0),
    request.fileText(run, file),
    request.fileDiff(run, file.path),
  ];
  for (const one of asked) expect([one, data.answers[one]]).toEqual([one, await visitor.page(one)]);
});

it("takes out secrets, the home and the user, and lists each before it writes", async () => {
  const door = doorOf({ SOME_TOKEN: "Hello Ada" });
  const { redactions, path, write } = await report({ out: "shared.html" }, door, { app: APP });
  await expect(readFile(path)).rejects.toThrow("ENOENT");
  const kinds = new Set(redactions.map(({ kind }) => kind));
  expect([...kinds].toSorted()).toEqual(["home path", "secret", "user name"]);
  const place = "greeter@1/2/with_skill/run-1 bob.txt";
  expect(redactions).toContainEqual({ kind: "home path", place, count: 2 });
  await write();
  const { html } = await written(path);
  for (const hidden of [HOME, "adalovelace", "Hello Ada"]) expect(html).not.toContain(hidden);
  expect(html).toContain("~/notes by [user]");
});

it("gives the same bytes for the same results", async () => {
  const [one, two] = await Promise.all(
    ["one.html", "two.html"].map(async (out) => {
      const made = await report({ out }, doorOf(), { app: APP });
      await made.write();
      return readFile(made.path, "utf8");
    }),
  );
  expect(one).toBe(two);
});

it("writes index.html into a folder, and says what cannot be written", async () => {
  const made = await report({ out: "site" }, doorOf(), { app: APP });
  await made.write();
  expect(made.path).toBe(project.path("site/index.html"));
  await writeFile(project.path("taken"), "");
  const blocked = await report({ out: "taken/x.html" }, doorOf(), { app: APP });
  await expect(blocked.write()).rejects.toThrow(/taken\/x\.html cannot be written/);
});

it("says on the command line that it needs to know where to", async () => {
  const { exitCode, err } = await assay(["report"], { cwd: project.root });
  expect(exitCode).toBe(2);
  expect(err).toContain("--out");
});
