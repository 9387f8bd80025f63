import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import type { Outcome } from "../../src/domain/run.ts";
import type { TranscriptEvent } from "../../src/domain/transcript.ts";
import type { CassetteHeader } from "../../src/gateway/cassette/cassette.ts";
import { type Cassettes, type Finished, NO_SERVICE } from "../../src/gateway/cassette/cassettes.ts";
import { startGateway } from "../../src/gateway/gateway.ts";
import { upstreamAt } from "../../src/gateway/test-gateway.ts";
import type { TrialTraffic } from "../../src/gateway/traffic.ts";
import { HarnessBench } from "../../src/run/fixtures/harness-bench.ts";
import type { Harness, HarnessOptions, HarnessRun } from "../../src/run/harness.ts";

export const HEADER: CassetteHeader = {
  suite: "demo",
  caseId: "1",
  variant: "with_skill",
  harness: "builtin",
  model: "m-1",
  repetition: 1,
  client: { name: "builtin", version: null },
  inputs: { skill: "s1", prompt: "p1", files: "f1", project: "j1", options: "o1" },
};

export interface TapedRun {
  readonly run: HarnessRun;
  readonly events: readonly TranscriptEvent[];
  readonly finished: Finished;
  readonly traffic: TrialTraffic;
  /** Connections to the only model service there is. */
  readonly connections: number;
  /** A file of the workspace; empty when there is none. */
  readonly file: (path: string) => string;
  readonly workspace: string;
}

export interface TapedTrial {
  readonly harness: Harness;
  readonly cassettes: Cassettes;
  /** Of the scripted model; null: there is no model service, only somebody who counts connections. */
  readonly service: string | null;
  readonly turns: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly skill?: string;
  readonly options?: Partial<HarnessOptions>;
  readonly header?: Partial<CassetteHeader>;
  readonly signal?: AbortSignal;
  /** Instead of how the client says that it ended. */
  readonly outcome?: Outcome;
}

/** One attempt at a trial in a fresh workspace and home, through a gateway with a tape. */
export async function tapedRun(trial: TapedTrial): Promise<TapedRun> {
  using bench = new HarnessBench();
  for (const [path, content] of Object.entries(trial.files ?? {})) {
    const file = join(bench.places.workspace, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  await using trap = await countConnections();
  const upstream = trial.service === null ? { ...NO_SERVICE, baseUrl: trap.url } : upstreamAt(trial.service);
  await using gateway = await startGateway({ upstreams: [upstream] });
  const taped = await trial.cassettes.trial({ ...HEADER, ...trial.header });
  taped.placed({ ...bench.places, skill: null });
  const port = gateway.open({ trial: "1", tape: taped.tape });
  const { run, events } = await bench.drive(
    trial.harness,
    { kind: "turns", turns: trial.turns },
    {
      context: { endpoint: port.endpoint },
      ...(trial.skill !== undefined && { skill: trial.skill }),
      ...(trial.options && { options: trial.options }),
      ...(trial.signal && { signal: trial.signal }),
    },
  );
  const traffic = port.close();
  const finished = await taped.finish(trial.outcome ?? run.outcome);
  const read = new Map<string, string>();
  for (const path of FILES) read.set(path, bench.read(join(bench.places.workspace, path)));
  return {
    run,
    events,
    finished,
    traffic,
    connections: trap.count(),
    file: (path) => read.get(path) ?? "",
    workspace: bench.places.workspace,
  };
}

/** What tests look at after the workspace is gone. */
const FILES = ["a.txt", "out/a.txt", "copy.txt"];

async function countConnections() {
  let count = 0;
  const server = createServer((socket) => {
    count++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => count,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** A transcript without what must differ between two places: its own paths. */
export function neutral({ events, workspace }: TapedRun): string {
  return JSON.stringify(events, null, 1)
    .replaceAll(workspace, "{workspace}")
    .replaceAll(dirname(workspace), "{root}");
}
