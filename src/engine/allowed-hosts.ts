import { HOSTS_RULE, readHosts } from "../domain/network.ts";
import { UserError } from "../domain/user-error.ts";

/** Hosts with their ports. A configuration's words are read here for the first time. */
export function allowedHosts(said: readonly string[]): readonly string[] {
  const hosts = readHosts(said);
  if (hosts !== null) return hosts;
  throw new UserError("options/invalid", `allow_host: ${JSON.stringify(said)} is invalid. ${HOSTS_RULE}`, {
    hint: 'e.g. "allow_host": ["registry.npmjs.org"]',
  });
}
