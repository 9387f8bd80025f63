export { isHeld } from "../report/held.ts";
export { reporters as BUILT_IN_REPORTERS } from "../report/reporters/index.ts";
export {
  ALL_REPORTED,
  type IterationReport,
  type Reporter,
  type ReporterOutput,
} from "../report/reporter.ts";
export { reportFile } from "./shared/report-file.ts";
