import { once } from "node:events";
import { chmod, readFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { describe, expect, it } from "vitest";
import type { EvalEvent } from "../../src/domain/event.ts";
import { bwrap } from "../../src/run/sandboxes/bwrap.ts";
import { assay } from "../support/command-line.ts";
import { greeterProject, journal } from "../support/project.ts";

const unavailable = await bwrap().unavailable();

/** A client that talks to its vendor itself, over the proxy it is told of; then it tries other ways. */
const AGENT = (vendor: string, other: string) => `#!/bin/bash
cat > /dev/null
proxy=\${HTTPS_PROXY#http://}; token=\${proxy%@*}; at=\${proxy#*@}
ask() {
  exec 4<>/dev/tcp/\${at%:*}/\${at#*:}
  printf 'CONNECT %s HTTP/1.1\\r\\nHost: %s\\r\\nProxy-Authorization: Basic %s\\r\\n\\r\\n' "$1" "$1" "$(printf %s "$token" | base64 -w0)" >&4
  read -r status <&4; while IFS= read -r line <&4 && [ "\${line%$'\\r'}" != "" ]; do :; done
  echo "$2: $(echo "$status" | cut -d' ' -f2) $(read -r -t 10 said <&4; echo "$said")"
}
knock() { (exec 4<>/dev/tcp/\${1%:*}/\${1#*:}) 2>/dev/null && echo "$2 open" || echo "$2 closed"; }
ask ${vendor} vendor
ask ${other} other
knock ${vendor} "vendor without the proxy"
knock ${other} "other without the proxy"
getent hosts localhost.example > /dev/null 2>&1 && echo "names open" || echo "names closed"
test "$(grep -c : /proc/net/dev)" = 1 && echo "only loopback"
echo Hello Ada
`;

async function greeting(words: string): Promise<Server & AsyncDisposable & { readonly place: string }> {
  const server = createServer((socket) => socket.on("error", () => {}).end(`${words}\n`));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(server, { place: `127.0.0.1:${(server.address() as AddressInfo).port}` });
}

async function run(args: (vendor: string) => readonly string[], config = "{}") {
  await using vendor = await greeting("I am the vendor");
  await using other = await greeting("I am somebody else");
  await using project = await greeterProject([], {
    "agent.sh": AGENT(vendor.place, other.place),
    "assay.config.json": config.replaceAll("VENDOR", vendor.place),
  });
  await chmod(project.path("agent.sh"), 0o755);
  const agent = ["--harness", "command", "--command", project.path("agent.sh"), "--case", "1"];
  const env = { HTTP_PROXY: "http://192.0.2.1:1", ALL_PROXY: "http://192.0.2.1:1" };
  const call = (words: readonly string[]) => assay(words, { cwd: project.root, env });
  const ran = await call(["run", "skills/greeter", ...agent, ...args(vendor.place)]);
  const folder = project.path(".assay/greeter/iteration-1/eval-1/with_skill/run-1");
  const said = await readFile(`${folder}/output.txt`, "utf8").catch(() => "");
  const shown = (await call(["show", "greeter/1"])).out;
  const finished = (await journal(project.root).catch(() => [] as EvalEvent[])).find(
    (one) => one.kind === "trial-finished",
  );
  return {
    ran,
    said: said.trimEnd().split("\n"),
    run: finished?.run,
    shown,
    places: { vendor: vendor.place, other: other.place },
  };
}

describe.skipIf(unavailable !== null)("a client that needs its vendor directly", { timeout: 60_000 }, () => {
  it("reaches the hosts it is allowed, and no other, no name server and nothing else of this machine", async () => {
    const {
      ran,
      said,
      run: one,
      shown,
      places,
    } = await run((vendor) => ["--sandbox", "bwrap", "--allow-host", vendor]);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(said).toEqual([
      "vendor: 200 I am the vendor",
      expect.stringMatching(/^other: 403 /),
      "vendor without the proxy closed",
      "other without the proxy closed",
      "names closed",
      "only loopback",
      "Hello Ada",
    ]);
    expect(one?.conditions).toMatchObject({ network: "hosts", hosts: [places.vendor] });
    expect(shown).toContain(`network closed except for ${places.vendor}, `);
    expect(shown).toContain(`tried to connect to ${places.other}: not allowed`);
  });

  it.each(["host", "none"])("is told that hosts and --network %s exclude each other", async (network) => {
    const { ran } = await run((vendor) => [
      "--sandbox",
      "bwrap",
      "--network",
      network,
      "--allow-host",
      vendor,
    ]);
    expect(ran.exitCode).toBe(2);
    expect(ran.err).toContain(`--allow-host opens single hosts, and --network ${network} opens`);
  });
});

it("is refused hosts where the sandbox cannot close the rest", { timeout: 60_000 }, async () => {
  const { ran } = await run((vendor) => ["--sandbox", "none", "--allow-host", vendor]);
  expect(ran.exitCode).toBe(2);
  expect(ran.err).toContain("the sandbox none cannot close the network, and --allow-host asks for it");
});

it("is not given hosts by the project under test", { timeout: 60_000 }, async () => {
  const { ran } = await run(() => [], '{"allow_host": ["VENDOR"]}');
  expect(ran.exitCode).toBe(2);
  expect(ran.err).toMatch(/assay\.config\.json sets allow_host: .*, which only you may decide/);
});

it("is not given what is no host", { timeout: 60_000 }, async () => {
  const { ran } = await run(() => ["--allow-host", "https://example.com"]);
  expect(ran.exitCode).toBe(2);
  expect(ran.err).toContain("claude and codex stand for the hosts of their vendors");
});
