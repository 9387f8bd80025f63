export { reporters as BUILT_IN_REPORTERS } from "../report/reporters/index.ts";
export type { IterationReport, Reporter, ReporterOutput } from "../report/reporter.ts";
