// The gateway in a process of its own, before the service at the address in its argument. Sends its endpoint; answers
// each message with its memory and what it metered.
import { startGateway } from "../node_modules/.cache/assay-bench/parts.js";

const [baseUrl] = process.argv.slice(2);
const upstream = { name: "service", wires: ["messages"], baseUrl, key: "bench", keyHeader: "x-api-key" };
const gateway = await startGateway({ upstreams: [upstream], limits: { start: 100 } });
const trial = gateway.open({ trial: "bench" });
process.send(trial.endpoint);
process.on("message", () => {
  globalThis.gc();
  process.send({ rss: process.memoryUsage().rss, exchanges: trial.traffic().exchanges.length });
});
