import type { Evidence } from "../../../domain/verdict.ts";
import type { SafeRegex } from "../../../lib/safe-regex/safe-regex.ts";
import { type CheckOf, codeGrader } from "../../code-grader.ts";
import { type Decision, failed, measure, passed } from "../../decision.ts";
import type { Grader } from "../../grader.ts";
import type { Subject } from "../../subject.ts";
import { decideFileJson, decideFileMatches } from "./content.ts";
import { deletedPaths, pathTest, type WorkspaceFile, workspaceFiles } from "./workspace.ts";

/** Checks on the files of the workspace as the run left them. */
export function filesGrader({ regex }: { readonly regex: SafeRegex }): Grader {
  return codeGrader({
    name: "files",
    reads: "files",
    open: async (subject) => ({ subject, files: await workspaceFiles(subject) }),
    decisions: {
      file_exists: (check, { files, subject }) => decideExists(check, files, subject),
      file_absent: (check, { files, subject }) => decideAbsent(check, files, subject),
      file_unchanged: (check, { subject }) => decideUnchanged(check, subject),
      file_matches: (check, { files }) => decideFileMatches(check, files, regex),
      file_json: (check, { files }) => decideFileJson(check, files, regex),
    },
  });
}

function decideExists(
  { path }: CheckOf<"file_exists">,
  files: readonly WorkspaceFile[],
  subject: Subject,
): Decision {
  const found = files.filter((file) => pathTest(path)(file.path));
  if (found.length > 0) return passed(`${listed(found)} exists`, [measure(`found: ${listed(found)}`)]);
  const deleted = deletedPaths(subject).filter(pathTest(path));
  if (deleted.length > 0) return failed(`the run deleted ${deleted[0]}`, [measure(`deleted: ${deleted[0]}`)]);
  return failed(`${path} does not exist`, [measure(lookedAt(files))]);
}

function decideAbsent(
  { path }: CheckOf<"file_absent">,
  files: readonly WorkspaceFile[],
  subject: Subject,
): Decision {
  const found = files.filter((file) => pathTest(path)(file.path));
  if (found.length > 0) return failed(`${listed(found)} exists`, [measure(`found: ${listed(found)}`)]);
  const deleted = deletedPaths(subject).filter(pathTest(path));
  const evidence: Evidence = measure(
    deleted.length > 0 ? `the run deleted ${deleted.slice(0, MOST).join(", ")}` : lookedAt(files),
  );
  return passed(`${path} does not exist`, [evidence]);
}

/** Only what the run changed can tell: what it left alone is not listed. */
function decideUnchanged({ path }: CheckOf<"file_unchanged">, { run }: Subject): Decision {
  const test = pathTest(path);
  const touched = run.changes.filter((change) => test(change.path));
  if (touched.length === 0) {
    return passed(`${path} is unchanged`, [
      measure(`none of the run's ${run.changes.length} changes is to it`),
    ]);
  }
  const texts = touched.slice(0, MOST).map(({ path: name, change }) => `${change}: ${name}`);
  return failed(`the run changed ${path}`, texts.map(measure));
}

const MOST = 5;

function listed(files: readonly WorkspaceFile[]): string {
  const names = files.slice(0, MOST).map((file) => file.path);
  const more = files.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function lookedAt(files: readonly WorkspaceFile[]): string {
  return files.length === 0 ? "the run left no files" : `looked at ${files.length} files: ${listed(files)}`;
}
