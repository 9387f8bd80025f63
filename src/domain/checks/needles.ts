import { anyText, flag, orElse, spelled } from "./field.ts";
import { checkKind } from "./kind.ts";

export const contains = needleKind("contains", { holds: "the output has `needle`" });
export const notContains = needleKind("does not contain", {
  holds: "the output does not have `needle`",
  forbids: true,
});
export const startsWith = needleKind("starts with", { holds: "the output starts with `needle`" });
export const endsWith = needleKind("ends with", { holds: "the output ends with `needle`" });

function needleKind(verb: string, rest: { readonly holds: string; readonly forbids?: boolean }) {
  return checkKind({
    reads: "output",
    fields: { needle: anyText(), ignoreCase: spelled("ignore_case", orElse(flag(), false)) },
    subject: (claim) => claim.needle,
    sentence: (claim) => `the output ${verb} ${JSON.stringify(claim.needle)}`,
    ...rest,
  });
}
