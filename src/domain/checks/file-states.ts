import { path } from "./field.ts";
import { checkKind } from "./kind.ts";

export const fileExists = fileKind("exists", { holds: "a file matches; `path` may be a glob" });
export const fileAbsent = fileKind("does not exist", { holds: "no file matches", forbids: true });
export const fileUnchanged = fileKind("is unchanged", {
  holds: "the agent left it as it was staged",
  forbids: true,
});

function fileKind(verb: string, rest: { readonly holds: string; readonly forbids?: boolean }) {
  return checkKind({
    reads: "files",
    fields: { path: path() },
    subject: (claim) => claim.path,
    sentence: (claim) => `the file ${claim.path} ${verb}`,
    ...rest,
  });
}
