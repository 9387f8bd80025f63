import { basename, dirname } from "node:path";
import { groupBy } from "../lib/group-by.ts";
import { type Bundle, skillInBundle } from "./bundle.ts";
import type { FoundFile } from "./eval-files.ts";
import { evalsSubject, type LoadSubject } from "./subject.ts";

/** Cases of a bundle, one subject for each skill they are about, and one for those that name none. */
export function bundleSubjects(bundle: Bundle, files: readonly FoundFile[]): LoadSubject[] {
  const bySkill = groupBy(files, (file) => skillInBundle(bundle, dirname(file.path)));
  const name = basename(bundle.root);
  return [...bySkill].map(([skillFile, members]) =>
    evalsSubject(
      skillFile === null ? name : basename(dirname(skillFile)),
      skillFile,
      members.map((file) => ({ ...file, evalsDirectory: bundle.evalsDirectory })),
    ),
  );
}
