import type { Case } from "../domain/suite.ts";

/**
 * Seconds an agent may take over all turns of a case; `flag` is `--timeout`, `fallback` the configuration's. Each format
 * has its own order of precedence.
 */
export function deadlineSeconds(
  one: Pick<Case, "format" | "settings">,
  flag: number | null,
  fallback: number | null = null,
): number {
  const declared = one.settings.timeoutSeconds;
  switch (one.format) {
    case "clauditor":
      return flag ?? declared ?? fallback ?? 300;
    case "bmad":
      return declared ?? flag ?? fallback ?? 600;
    default:
      return flag ?? declared ?? fallback ?? 600;
  }
}
