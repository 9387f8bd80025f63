#!/usr/bin/env node
"use strict";
// CommonJS, as the bundle is, because Node starts it about a tenth sooner than ES modules.
const { main } = require("../dist/cli.cjs");

const args = process.argv.slice(2);
// --version and --help need nothing but cli.cjs.
if (args[0] !== undefined && !args[0].startsWith("-")) require("./code-cache.js").keepCompiled();

/** Node ends when nothing is left to wait for, also where something never answers. That must not look like success. */
const UNFINISHED = 3;
process.exitCode = UNFINISHED;
const onStall = () =>
  process.stderr.write(
    "error: Assay stopped before it was done: something it waited for never answered\n" +
      "  hint: look for a promise that never settles in the file that --config names; what was recorded so far is kept\n",
  );
process.once("beforeExit", onStall);

void (async () => {
  process.exitCode = await main(args);
  process.off("beforeExit", onStall);
})();
