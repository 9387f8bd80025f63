import { chmod, readFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { describe, expect, it } from "vitest";
import type { EvalEvent } from "../../src/domain/event.ts";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { bwrap } from "../../src/run/sandboxes/bwrap.ts";
import { assay } from "../support/command-line.ts";
import { greeterProject, journal } from "../support/project.ts";

const unavailable = await bwrap().unavailable();

/** Says what it reaches: a server of this machine by port and by abstract name, a name server, the gateway, itself. */
const AGENT = (port: number, name: string) => `#!/bin/bash
cat > /dev/null
knock() { (exec 4<>/dev/tcp/$1/$2) 2>/dev/null && echo "$3 open" || echo "$3 closed"; }
knock 127.0.0.1 ${port} host
grep -q '@${name}' /proc/net/unix && echo "abstract open" || echo "abstract closed"
test "$(grep -c : /proc/net/dev)" = 1 && echo "only loopback" || echo "interfaces"
at=\${ASSAY_BASE_URL#http://}; at=\${at%%/*}
if [ -n "$at" ]; then
  exec 4<>/dev/tcp/\${at%:*}/\${at#*:} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&4 && echo "gateway says $(tail -n1 <&4)"
fi
echo Hello Ada
`;

async function listening(where: number | string): Promise<Server & AsyncDisposable> {
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(where, resolve));
  return server;
}

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const name = `assay-test-${process.pid}`;
  await using host = await listening(0);
  await using _ = await listening(`\0${name}`);
  const { port } = host.address() as { port: number };
  await using project = await greeterProject([], { "agent.sh": AGENT(port, name) });
  await chmod(project.path("agent.sh"), 0o755);
  const agent = ["--harness", "command", "--command", project.path("agent.sh"), "--case", "1"];
  const ran = await assay(["run", "skills/greeter", ...agent, ...args], { cwd: project.root, env });
  const finished = (await journal(project.root).catch(() => [] as EvalEvent[])).find(
    (one) => one.kind === "trial-finished",
  );
  const folder = project.path(".assay/greeter/iteration-1/eval-1/with_skill/run-1");
  const said = await readFile(`${folder}/output.txt`, "utf8").catch(() => "");
  return { ran, said: said.trimEnd().split("\n"), run: finished?.run };
}

describe.skipIf(unavailable !== null)("what an agent reaches", { timeout: 60_000 }, () => {
  it("with --network gateway: the gateway, and nothing else of this machine", async () => {
    await using sim = await startSim(parseScript("replies: [unused]"));
    const env = { ANTHROPIC_API_KEY: "not-a-real-key", ANTHROPIC_BASE_URL: sim.url };
    const { ran, said, run: one } = await run(["--network", "gateway", "--sandbox", "bwrap"], env);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(said).toEqual([
      "host closed",
      "abstract closed",
      "only loopback",
      "gateway says assay gateway",
      "Hello Ada",
    ]);
    expect(one?.conditions.network).toBe("gateway");
  });

  it("with --network none: nothing", async () => {
    const { said, run: one } = await run(["--network", "none", "--sandbox", "bwrap"]);
    expect(said).toEqual(["host closed", "abstract closed", "only loopback", "Hello Ada"]);
    expect(one?.conditions.network).toBe("none");
  });

  it("with --network host, and by default an agent of which nobody knows what it needs: all", async () => {
    const { said, run: one } = await run(["--sandbox", "bwrap"]);
    expect(said.slice(0, 2)).toEqual(["host open", "abstract open"]);
    expect(one?.conditions.network).toBe("host");
  });
});

it("is refused where the sandbox cannot close it", async () => {
  const { ran } = await run(["--network", "none", "--sandbox", "none"]);
  expect(ran.exitCode).toBe(2);
  expect(ran.err).toContain("the sandbox none cannot close the network, and --network none asks for it");
});
