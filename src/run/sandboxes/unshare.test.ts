import { sandboxContract } from "../sandbox.contract.ts";
import { unshare } from "./unshare.ts";

await sandboxContract(unshare());
