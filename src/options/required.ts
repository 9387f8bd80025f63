import { UserError } from "../domain/user-error.ts";

/** The same options, with these sure to be there. Throws a UserError for the first that nobody gave. */
export function required<T extends object, K extends keyof T & string>(
  settled: T,
  names: readonly K[],
): T & { readonly [N in K]: NonNullable<T[N]> } {
  const missing = names.find((name) => settled[name] === null);
  if (missing === undefined) return settled as T & { readonly [N in K]: NonNullable<T[N]> };
  throw new UserError("options/missing", `option ${missing} is missing`, {
    hint: `these are needed: ${names.join(", ")}`,
  });
}
