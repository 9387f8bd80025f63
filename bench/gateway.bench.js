import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { digest, eventsOf, lagsMs } from "./gateway-stream.js";

const CLIENTS = 64;
const ROUNDS = 10;
const PER_ROUND = 200;
const REQUESTS = ROUNDS * PER_ROUND;
const BODY = JSON.stringify({
  model: "m",
  stream: true,
  max_tokens: 100,
  messages: [{ role: "user", content: "word ".repeat(10_000) }],
});

export default {
  what: `${CLIENTS} streaming clients, ${REQUESTS} requests of ${Math.round(BODY.length / 1024)} KB through the gateway, as many direct; median of ${ROUNDS} rounds`,
  async measure() {
    const agent = new Agent({ keepAlive: true });
    const children = [];
    const start = async (name, ...args) => {
      const child = fork(fileURLToPath(new URL(`gateway-${name}`, import.meta.url)), args, {
        execArgv: ["--expose-gc"],
      });
      children.push(child);
      const [said] = await once(child, "message");
      return { child, said };
    };
    try {
      const { said: port } = await start("service.js");
      const url = `http://127.0.0.1:${port}`;
      const { child: proxy, said: endpoint } = await start("proxy.js", url);
      const ways = [
        { name: "direct", url, token: "none", agent },
        { name: "gateway", url: endpoint.baseUrl, token: endpoint.token, agent },
      ];
      await load(ways, 2);
      const before = await ask(proxy);
      const samples = await load(ways, ROUNDS);
      return rows(samples, { before, after: await ask(proxy) });
    } finally {
      agent.destroy();
      for (const child of children) child.kill();
    }
  },
};

/** Each percentile is taken in each round and beside its floor, so that a moment in which the machine did something else counts once. */
function rows(samples, { before, after }) {
  const added = (label, pick, share, bar) => {
    const at = (way, round) =>
      percentile(
        samples.filter((sample) => sample.way === way && sample.round === round).flatMap(pick),
        share,
      );
    const rounds = Array.from({ length: ROUNDS }, (_, round) => ({
      direct: at("direct", round),
      gateway: at("gateway", round),
    }));
    const ms = percentile(
      rounds.map(({ direct, gateway }) => gateway - direct),
      0.5,
    );
    const floor = percentile(
      rounds.map(({ direct }) => direct),
      0.5,
    );
    return {
      label,
      value: `${ms.toFixed(2)} ms (direct: ${floor.toFixed(1)} ms)`,
      bar: `<= ${bar} ms`,
      met: ms <= bar,
    };
  };
  /** Over all requests of all rounds at once: what a reader takes a percentile of 2,000 requests to be. */
  const pooled = (label, pick, share, bar) => {
    const at = (way) => percentile(samples.filter((sample) => sample.way === way).flatMap(pick), share);
    const ms = at("gateway") - at("direct");
    return {
      label: `${label}, all requests pooled`,
      value: `${ms.toFixed(2)} ms`,
      bar: `<= ${bar} ms`,
      met: ms <= bar,
    };
  };
  const broken = samples.filter(({ whole }) => !whole).length;
  const metered = after.exchanges - before.exchanges;
  const grown = (after.rss - before.rss) / 1024 / 1024;
  const firstMs = (sample) => [sample.firstMs];
  const lags = (sample) => sample.lags;
  return [
    added("added to the first byte, p50", firstMs, 0.5, 3),
    added("added to the first byte, p99", firstMs, 0.99, 25),
    pooled("added to the first byte, p50", firstMs, 0.5, 3),
    pooled("added to the first byte, p99", firstMs, 0.99, 25),
    added("added to each event, p50", lags, 0.5, 3),
    added("added to each event, p99", lags, 0.99, 25),
    { label: "answers lost, cut or mixed up", value: broken, bar: "0", met: broken === 0 },
    { label: "answers metered", value: metered, bar: `${REQUESTS}`, met: metered === REQUESTS },
    { label: "memory grown by", value: `${grown.toFixed(1)} MB`, bar: "< 20 MB", met: grown < 20 },
  ];
}

/** Through one way after the other in short rounds, so that a busy moment hits both alike. */
async function load(ways, rounds) {
  const samples = [];
  for (let round = 0; round < rounds; round++) {
    for (const way of round % 2 === 0 ? ways : ways.toReversed())
      samples.push(...(await oneRound(way, round)));
  }
  return samples;
}

async function oneRound(way, round) {
  const samples = [];
  let next = 0;
  const client = async (index) => {
    // Real clients do not start in one step.
    await sleep(index * 4);
    while (next < PER_ROUND) samples.push({ round, ...(await exchange(way, `m${round}-${next++}`)) });
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)));
  return samples;
}

async function exchange({ name, url, token, agent }, mark) {
  const started = performance.now();
  const sent = request(`${url}/v1/messages`, {
    method: "POST",
    agent,
    headers: {
      "x-api-key": token,
      "x-mark": mark,
      "content-type": "application/json",
      "content-length": BODY.length,
    },
  });
  sent.end(BODY);
  const [response] = await once(sent, "response");
  const lags = [];
  let firstMs = null;
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) {
    firstMs ??= performance.now() - started;
    lags.push(...lagsMs(chunk));
    text += chunk;
  }
  return { way: name, firstMs, lags, whole: digest(text) === digest(eventsOf(mark).join("")) };
}

function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

async function ask(child) {
  child.send("report");
  const [report] = await once(child, "message");
  return report;
}
