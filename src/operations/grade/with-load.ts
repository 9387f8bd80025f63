import type { Stages } from "../../pipeline.ts";

/** The same stages on suites that come from elsewhere. */
export function withLoad(stages: Stages, load: Stages["load"]): Stages {
  const { plan, runAndGrade, summarize, report } = stages;
  return { load, plan, runAndGrade, summarize, report };
}
