#!/usr/bin/env node
"use strict";
// CommonJS, as the bundle is, because Node starts it about a tenth sooner than ES modules.
const { main } = require("../dist/cli.cjs");

void (async () => {
  process.exitCode = await main(process.argv.slice(2));
})();
