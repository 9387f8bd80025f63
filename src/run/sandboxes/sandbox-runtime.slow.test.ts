import { sandboxContract } from "../sandbox.contract.ts";
import { sandboxRuntime } from "./sandbox-runtime.ts";

await sandboxContract(sandboxRuntime());
