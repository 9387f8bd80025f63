import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FILES = 20_000;

export default {
  what: `a workspace of a project with ${FILES} files, the shared layer made once`,
  async measure({ bwrap, openRunRoot, prepareBase, SharedLayers, stageTrial, whyOverlayFails }) {
    const project = mkdtempSync(join(tmpdir(), "assay-bench-"));
    let root;
    try {
      fill(project);
      root = await openRunRoot({ candidates: [tmpdir()], token: "benchrun", pid: process.pid });
      const base = await prepareBase(project, {
        directory: join(root.path, "base"),
        skills: [],
        hidden: [],
        env: process.env,
      });
      const layers = new SharedLayers(join(root.path, "layer"));
      const spec = { root: root.path, base, layers, overlays: [], skill: null, fixtures: [], readable: [] };
      const overlayProblem = await whyOverlayFails(bwrap(), root.path);
      const rows = [];
      if (overlayProblem === null) {
        const times = [];
        for (let i = 0; i < 15; i++)
          times.push(await timed(() => stageTrial({ ...spec, id: `overlay-${i}`, method: "overlay" })));
        const median = times.toSorted((a, b) => a - b)[7];
        rows.push({
          label: "overlay, median of 15",
          value: `${median.toFixed(1)} ms`,
          bar: "<= 30 ms",
          met: median <= 30,
        });
      } else rows.push({ label: "overlay", value: `not possible here: ${overlayProblem}` });
      const copies = [];
      const floors = [];
      for (let i = 0; i < 3; i++) {
        floors.push(
          await timed(() => void execFileSync("cp", ["-a", base.directory, join(root.path, `cp-${i}`)])),
        );
        copies.push(await timed(() => stageTrial({ ...spec, id: `copy-${i}`, method: "copy" })));
        rmSync(join(root.path, `cp-${i}`), { recursive: true });
      }
      const [copy, floor] = [Math.min(...copies), Math.min(...floors)];
      rows.push({
        label: "copy against cp -a, fastest of 3",
        value: `${(copy / floor).toFixed(2)}x (${copy.toFixed(0)} ms against ${floor.toFixed(0)} ms)`,
        bar: "<= 1x, with 5 % for noise",
        met: copy <= floor * 1.05,
      });
      return rows;
    } finally {
      await root?.[Symbol.asyncDispose]();
      rmSync(project, { recursive: true });
    }
  },
};

async function timed(action) {
  const started = performance.now();
  const staged = await action();
  const ms = performance.now() - started;
  await staged?.[Symbol.asyncDispose]?.();
  return ms;
}

function fill(project) {
  const text = "x".repeat(6000);
  for (let folder = 0; folder < 200; folder++) {
    mkdirSync(join(project, `folder-${folder}`));
    for (let file = 0; file < FILES / 200; file++)
      writeFileSync(join(project, `folder-${folder}`, `file-${file}.txt`), text);
  }
}
