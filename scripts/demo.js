// `npm run demo`: the same as `assay demo`.
import { main } from "../dist/cli.cjs";

process.exitCode = await main(["demo"]);
