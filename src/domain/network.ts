/**
 * What of the network a trial's programs reach: all that this machine does, the model service through the gateway and hosts
 * that the user allows, the model service alone, or nothing.
 */
export type TrialNetwork = "host" | "hosts" | "gateway" | "none";

/** `auto`: the gateway alone where that is all the client needs and the sandbox can see to it; otherwise the host's. */
export type WantedNetwork = "host" | "gateway" | "none" | "auto";

/** What clients that talk to their vendor themselves need of it, by the name of their program: models, and refreshing a login. */
const VENDOR_HOSTS: Readonly<Record<string, readonly string[]>> = {
  claude: ["api.anthropic.com:443", "claude.ai:443", "platform.claude.com:443"],
  codex: ["api.openai.com:443", "auth.openai.com:443", "chatgpt.com:443"],
};

export const HOSTS_RULE = `It must be a list of hosts, each with a port unless it is 443; ${Object.keys(VENDOR_HOSTS).join(" and ")} stand for the hosts of their vendors.`;

/** Hosts with their ports; null where one of the words is none. */
export function readHosts(words: readonly string[]): readonly string[] | null {
  const found = words.map((word) => {
    if (Object.hasOwn(VENDOR_HOSTS, word)) return VENDOR_HOSTS[word] ?? [];
    const host = readHost(word) ?? readHost(`${word}:443`);
    return host === null ? null : [host];
  });
  return found.every((hosts) => hosts !== null) ? [...new Set(found.flat())] : null;
}

/** `Example.com.:443` as `example.com:443`; null where it is no host with a port. */
export function readHost(text: string): string | null {
  const [, name = "", port = ""] =
    /^([a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])\.?:(\d{1,5})$/i.exec(text) ?? [];
  return name === "" || Number(port) < 1 || Number(port) > 65_535
    ? null
    : `${name.toLowerCase()}:${Number(port)}`;
}
