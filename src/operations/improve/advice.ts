import { readFile } from "node:fs/promises";
import type { Json } from "../../domain/json.ts";
import { adviceOf } from "../../improve/loop/advice.ts";
import type { ComparedVersions } from "../../improve/loop/improve.ts";
import type { SuiteFolder } from "../../store/layout.ts";

/** Enough for what a few edits can take up. */
const MOST_ADVICE = 8;

/** What the analyses of these comparisons advise; a comparison without one advises nothing. */
export async function readAdvice(
  folder: Pick<SuiteFolder, "versionComparison">,
  compared: readonly ComparedVersions[],
): Promise<readonly string[]> {
  const files = await Promise.all(
    compared.map(({ newer, older }) =>
      readFile(folder.versionComparison(newer, older).analysis, "utf8").catch(() => null),
    ),
  );
  return files
    .flatMap((text) => (text === null ? [] : adviceOf(JSON.parse(text) as Json)))
    .slice(0, MOST_ADVICE);
}
