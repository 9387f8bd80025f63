import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ask as request } from "../../src/viewer/api.ts";
import { assay } from "../support/command-line.ts";
import { machineIn } from "../support/machine.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";
import { view } from "../../src/viewer/server.ts";
import { ask, visit } from "./kit.ts";

async function ranProject() {
  const project = await greeterProject(GOOD_REPLIES);
  await assay(RUN, { cwd: project.root });
  return project;
}

/** Of those who only ask. */
let project: Awaited<ReturnType<typeof ranProject>>;
beforeAll(async () => {
  project = await ranProject();
});
afterAll(() => project[Symbol.asyncDispose]());

const AT = { skill: "greeter", n: 1, trial: "2/with_skill/run-1" };
const RUN_FOLDER = ".assay/greeter/iteration-1/eval-2/with_skill/run-1";

it("lets in one browser, once, and tells nobody else anything", async () => {
  await using visitor = await visit(project.root);
  const { port, url } = visitor.viewer;
  const { host } = visitor;
  const link = new URL(url);
  const again = await ask(port, `${link.pathname}${link.search}`, { headers: { host } });
  expect([again.status, again.headers["set-cookie"]]).toEqual([403, undefined]);
  expect(again.text).toContain("it works for one browser, once");
  const token = link.searchParams.get("token") ?? "";
  const guesses = ["", "x", token.slice(0, -1), `${token}x`, token.toUpperCase()];
  for (const guess of guesses) {
    const path = `/?token=${encodeURIComponent(guess)}`;
    expect((await ask(port, path, { headers: { host } })).status).toBe(403);
  }
  const cookies = [
    "",
    `assay-${port}=`,
    `assay-${port}=${token}`,
    visitor.cookie.slice(0, -1),
    visitor.cookie.replace("assay-", "other-"),
  ];
  for (const cookie of cookies) {
    for (const path of ["/", "/api/overview", "/app.js"]) {
      const { status, text } = await ask(port, path, { headers: { host, cookie } });
      expect([path, status]).toEqual([path, 403]);
      expect(text).not.toContain("greeter");
    }
  }
  expect((await visitor.ask("/")).status).toBe(200);
});

it("answers only by its own name and to its own pages", async () => {
  await using visitor = await visit(project.root);
  const { port } = visitor.viewer;
  const own = `http://${visitor.host}`;
  const status = async (headers: Record<string, string>, method = "GET") =>
    (await visitor.ask("/api/overview", { method, headers })).status;
  const wrongHosts = [
    "",
    "evil.example",
    `evil.example:${port}`,
    "127.0.0.1",
    `127.0.0.1:${port + 1}`,
    `127.0.0.1.evil.example:${port}`,
    `[::1]:${port}.evil.example`,
  ];
  for (const host of wrongHosts) expect([host, await status({ host })]).toEqual([host, 403]);
  expect(await status({ host: `localhost:${port}` })).toBe(200);
  const wrongOrigins = [
    "null",
    "http://evil.example",
    `http://127.0.0.1:${port + 1}`,
    `https://${visitor.host}`,
    `http://localhost:${port}`,
  ];
  for (const origin of wrongOrigins) {
    expect([origin, await status({ origin })]).toEqual([origin, 403]);
    expect([origin, await status({ origin }, "POST")]).toEqual([origin, 403]);
  }
  expect(await status({}, "POST")).toBe(403);
  expect(await status({ origin: own })).toBe(200);
  expect(await status({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" })).toBe(403);
  expect(await status({ "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" })).toBe(403);
  expect(await status({ "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" })).toBe(200);
});

it("serves a page that may run nothing but the app, and that nobody may frame", async () => {
  await using visitor = await visit(project.root);
  const pages = await Promise.all([visitor.ask("/run?skill=greeter"), visitor.ask("/")]);
  const nonces = pages.map(({ text }) => /<script nonce="([^"]+)" src="\/app\.js"/.exec(text)?.[1]);
  expect(new Set(nonces).size).toBe(2);
  for (const [at, { headers, text }] of pages.entries()) {
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain(`script-src 'nonce-${nonces[at]}'`);
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers).toMatchObject({
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    });
    expect(text).not.toContain("greeter");
  }
  const answer = await visitor.ask("/api/overview");
  expect(answer.headers["content-security-policy"]).toMatch(/default-src 'none'.*sandbox/);
});

it.each([
  ["a folder above", "../../../../../assay.config.json"],
  ["an absolute path", "/etc/passwd"],
  ["a coded way up", "..%2f..%2foutput.txt"],
  ["a zero byte", "bob.txt\0.png"],
  ["a Windows path", String.raw`..\..\output.txt`],
  ["a file that nobody lists", "metrics.json"],
  ["a folder", ""],
])("opens no %s", async (_, path) => {
  await using visitor = await visit(project.root);
  for (const area of ["outputs", "inputs", "before"] as const) {
    const { status } = await visitor.ask(`/api/${request.file(AT, { area, path })}`);
    expect([400, 404]).toContain(status);
  }
});

it("follows no link, neither in the outputs nor to a run, a skill or an iteration", async () => {
  await using own = await ranProject();
  await writeFile(own.path("secret.txt"), "the secret\n");
  await rm(own.path(`${RUN_FOLDER}/outputs/bob.txt`));
  await symlink(own.path("secret.txt"), own.path(`${RUN_FOLDER}/outputs/bob.txt`));
  await symlink(own.path("secret.txt"), own.path(`${RUN_FOLDER}/inputs-link`));
  await symlink(own.root, own.path(".assay/elsewhere"));
  await symlink(own.path(".assay/greeter/iteration-1"), own.path(".assay/greeter/iteration-9"));
  await using visitor = await visit(own.root);
  const file = { area: "outputs", path: "bob.txt" } as const;
  for (const path of [request.file(AT, file), request.fileText(AT, file)]) {
    const { status, text } = await visitor.ask(`/api/${path}`);
    expect([status, text.includes("the secret")]).toEqual([404, false]);
  }
  expect((await visitor.ask(`/api/${request.iteration({ skill: "greeter", n: 9 })}`)).status).toBe(404);
  const names = [
    "..",
    ".",
    "elsewhere",
    "greeter/..",
    "../greeter",
    "imports/../greeter",
    "/greeter",
    "greeter\0",
  ];
  for (const skill of names) {
    expect([skill, (await visitor.ask(`/api/${request.iteration({ skill, n: 1 })}`)).status]).toEqual([
      skill,
      404,
    ]);
  }
  const overview = await visitor.ask("/api/overview");
  expect(overview.text).not.toContain("elsewhere");
});

it("serves what agents made as a download, or as an image that can do nothing", async () => {
  await using own = await ranProject();
  const hostile = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`;
  await mkdir(own.path(`${RUN_FOLDER}/before`), { recursive: true });
  await writeFile(own.path(`${RUN_FOLDER}/before/picture.svg`), hostile);
  await writeFile(own.path(`${RUN_FOLDER}/before/page.html`), "<script>alert(1)</script>");
  await using visitor = await visit(own.root);
  const get = (path: string) => visitor.ask(`/api/${request.file(AT, { area: "before", path })}`);
  const svg = await get("picture.svg");
  expect([svg.status, svg.headers["content-type"]]).toEqual([200, "image/svg+xml"]);
  expect(svg.headers["content-security-policy"]).toMatch(/default-src 'none'.*sandbox/);
  const html = await get("page.html");
  expect([html.headers["content-type"], html.headers["content-disposition"]]).toEqual([
    "application/octet-stream",
    "attachment; filename*=UTF-8''page.html",
  ]);
});

it("leaves whoever listens on a port alone", async () => {
  const other = createServer((socket) => socket.end("still here"));
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as { port: number };
  try {
    await expect(view({ port }, { machine: machineIn(project.root) })).rejects.toThrow(
      /something else listens there/,
    );
    expect(other.listening).toBe(true);
  } finally {
    other.close();
  }
});

it("lets other machines look only with --host, and then nobody without the link", async () => {
  await using closed = await view({}, { machine: machineIn(project.root) });
  expect([closed.isOpen, new URL(closed.url).hostname]).toEqual([false, "127.0.0.1"]);
  await using visitor = await visit(project.root, { host: "0.0.0.0" });
  const { port, isOpen } = visitor.viewer;
  expect(isOpen).toBe(true);
  const own = Object.values(networkInterfaces())
    .flatMap((some) => some ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal);
  const names = ["127.0.0.1", "localhost", ...(own === undefined ? [] : [own.address])];
  for (const name of names) {
    const host = `${name}:${port}`;
    expect([name, (await visitor.ask("/api/overview", { headers: { host } })).status]).toEqual([name, 200]);
    const { status, text } = await ask(port, "/api/overview", { headers: { host } });
    expect([name, status, text.includes("greeter")]).toEqual([name, 403, false]);
  }
  for (const host of ["0.0.0.0", `0.0.0.0:${port}`, `evil.example:${port}`])
    expect([host, (await visitor.ask("/api/overview", { headers: { host } })).status]).toEqual([host, 403]);
});

it("says what to do where an address is not one of this machine", async () => {
  await expect(view({ host: "192.0.2.1" }, { machine: machineIn(project.root) })).rejects.toMatchObject({
    code: "view/port",
    hint: expect.stringContaining("--host takes an address of this machine") as string,
  });
});
