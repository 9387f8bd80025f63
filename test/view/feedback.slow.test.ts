import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { ask as request } from "../../src/viewer/api.ts";
import { builtCommand } from "../support/built-command.ts";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";
import { ask } from "./kit.ts";
import { startedViewer } from "./started-viewer.ts";

const FILE = ".assay/greeter/iteration-1/feedback.json";
const RUN_ID = "eval-1-with_skill-run-1";

interface Kept {
  readonly reviews: readonly { readonly checks?: readonly { readonly check_id: string }[] }[];
}

it("keeps every edit that was answered when the server is killed at any moment", async () => {
  await using command = await builtCommand();
  await using project = await greeterProject(GOOD_REPLIES);
  await assay(RUN, { cwd: project.root });
  const answered: string[] = [];
  for (let round = 0; round < 8; round++) {
    const { child, url } = await startedViewer(command.path, project.root);
    const { host, pathname, search, port } = new URL(url);
    const entered = await ask(Number(port), `${pathname}${search}`, { headers: { host } });
    const headers = {
      host,
      cookie: String(entered.headers["set-cookie"]).split(";")[0] ?? "",
      origin: `http://${host}`,
      "content-type": "application/json",
    };
    const path = `/api/${request.feedback({ skill: "greeter", n: 1 })}`;
    const edit = { kind: "check", runId: RUN_ID, agrees: true, verdict: "passed", comment: "" };
    for (let at = 0; at < 60; at++) {
      const checkId = `${round}-${at}`;
      const body = JSON.stringify({ ...edit, checkId });
      const sent = ask(Number(port), path, { method: "POST", headers, body }).then(
        ({ status }) => status === 200 && answered.push(checkId) > 0,
        () => false,
      );
      if (at === 1 + 3 * round) child.kill("SIGKILL");
      if (!(await sent)) break;
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    const kept = JSON.parse(await readFile(project.path(FILE), "utf8")) as Kept;
    const ids = new Set(kept.reviews[0]?.checks?.map(({ check_id }) => check_id));
    expect(answered.filter((id) => !ids.has(id))).toEqual([]);
  }
  expect(answered.length).toBeGreaterThan(8);
});
