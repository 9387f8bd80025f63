import { isSecretVariable } from "../machine.ts";

/** Values of the environment that must not be written anywhere: whatever is called a key, token, secret or password. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => (isSecretVariable(name, value) ? [value] : []));
}
