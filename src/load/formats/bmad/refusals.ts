import type { DocNode } from "../../../lib/document/node.ts";
import type { ReadContext } from "../../../lib/shape/shape.ts";

/** Says which shape the file has and why it cannot be run. */
export function refuse(dialect: keyof typeof REFUSALS, reading: ReadContext, root: DocNode): null {
  reading.report({ severity: "error", offset: root.start, code: "other-shape", ...REFUSALS[dialect] });
  return null;
}

const REFUSALS = {
  "fragment-selection": {
    message:
      'this is the fragment-selection shape of BMad\'s test architecture module: its cases ("expect", "repoFacts", "contextFiles") ask which knowledge files a model would load for a repository that is only described, and only that project\'s own harness can score them',
    hint: 'an eval of the skill at work has "prompt", "files" and "expectations"',
  },
  interview: {
    message:
      'this is the interview shape of an older BMad builder: each eval ("persona", "initial_input", "max_turns") needs a simulated person to answer the skill\'s questions, which Assay does not offer',
    hint: 'pack the answers into one prompt that begins with "Run headless." and turn success_criteria into expectations',
  },
} as const;
