// `npm run demo`: the same as `assay demo`.
import { main } from "../dist/cli.js";

process.exitCode = await main(["demo"]);
