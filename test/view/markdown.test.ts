import { expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { greeterProject, RUN } from "../support/project.ts";
import { visit } from "./kit.ts";

const REPLIES = [
  { when: { prompt: "Ada" }, steps: [{ text: "Good day\n```\n<script>alert(1)</script>" }] },
  {
    when: { prompt: "Bob" },
    steps: [{ write: { path: "bob.txt", content: "Hello Bob\n" } }, { text: "Done" }],
  },
];

it("tells every page as Markdown, with links that lead on", async () => {
  await using project = await greeterProject(REPLIES);
  await assay(RUN, { cwd: project.root });
  await using visitor = await visit(project.root);
  const read = async (path: string) => {
    const { status, headers, text } = await visitor.ask(path);
    expect([path, status, headers["content-type"]]).toEqual([path, 200, "text/markdown; charset=utf-8"]);
    return text;
  };
  const linkIn = (text: string, start: string) =>
    [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, to = ""]) => to).find((to) => to.startsWith(start)) ?? "";
  const overview = await read("/?format=md");
  expect(overview).toContain("# Results in .assay");
  const iteration = await read(linkIn(overview, "/iteration"));
  expect(iteration).toContain("checks 1 of 2");
  const run = await read(linkIn(iteration, "/run"));
  expect(run).toContain("## Prompt\n\n```\nGreet Ada\n```");
  expect(run).toContain("````\nGood day\n```\n<script>alert(1)</script>\n````");
  expect(run).toContain("**failed** ");
  expect(await read(linkIn(run, "/timeline"))).toContain("### 0 message\n\n```\nGreet Ada\n```");
  const named = (id: number) => encodeURIComponent(`greeter@1/${id}/with_skill/run-1`);
  const beside = await read(`/compare?a=${named(1)}&b=${named(2)}&format=md`);
  expect(beside).toContain("First divergence: step 1:");
  expect(await read("/triggers?skill=greeter&n=1&format=md")).toContain("No query was asked.");
  expect(await read("/feedback?skill=greeter&n=1&format=md")).toContain("Still in progress.");
  const trial = "skill=greeter&n=1&trial=1%2Fwith_skill%2Frun-1";
  expect(await read(`/timeline-index?${trial}&format=md`)).toContain("```json");
  expect((await visitor.ask("/iteration?skill=none&n=1&format=md")).status).toBe(404);
});
