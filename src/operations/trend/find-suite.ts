import { basename, join, resolve } from "node:path";
import { UserError } from "../../domain/user-error.ts";
import { nearest } from "../../lib/nearest.ts";
import { listIterations, listSuites } from "../../store/iterations.ts";
import { projectFolder, suiteFolder, type SuiteFolder } from "../../store/layout.ts";

/** The results of a skill, by its name or its directory; without a name, of the only skill there is. */
export async function findSuite(
  name: string | null,
  { results, cwd }: { results: string; cwd: string },
): Promise<SuiteFolder> {
  const known = await listSuites(results);
  if (name === null) {
    const [only, ...others] = known;
    if (only !== undefined && others.length === 0) return suiteFolder(join(results, only));
    throw new UserError(
      "trend/which-skill",
      only === undefined ? `there are no results in ${results}` : "there are results of several skills",
      {
        hint:
          only === undefined ? "assay run or assay bench makes the first" : `name one of ${known.join(", ")}`,
      },
    );
  }
  for (const candidate of [name, basename(resolve(cwd, name))]) {
    const suite = projectFolder(results).suite(candidate);
    if ((await listIterations(suite.root)).length > 0) return suite;
  }
  const near = nearest(name, known);
  throw new UserError("trend/no-skill", `there are no results of ${JSON.stringify(name)} in ${results}`, {
    hint: near === null ? "assay run or assay bench makes the first" : `did you mean ${near}?`,
  });
}
