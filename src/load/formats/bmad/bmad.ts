import type { Format } from "../../format.ts";
import { recognise } from "./dialect.ts";
import { loadBmad } from "./load.ts";
import { CASE_LIST, CASES_FILE, EVALS_FILE, TRIGGER_LIST } from "./shape.ts";
import { writeBmad } from "./write.ts";

/** BMad: `evals.json` and `triggers.json` with overlays beside them, and the second generation's `cases`. */
export const bmad: Format = {
  name: "bmad",
  recognise,
  load: loadBmad,
  write: writeBmad,
  schemas: {
    evals: EVALS_FILE.schema,
    triggers: TRIGGER_LIST.schema,
    cases: { anyOf: [CASES_FILE.schema, CASE_LIST.schema] },
  },
};
