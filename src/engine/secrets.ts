/** Values of the environment that must not be written anywhere: whatever is called a key, token, secret or password. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env)
    .filter(([name]) => /(KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIALS?)$/i.test(name))
    .map(([, value]) => value)
    .filter((value) => value !== undefined && value.length >= 8) as string[];
}
