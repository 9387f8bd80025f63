import { BlockList, isIP, isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";

/**
 * Is this an address of the public internet? Loopback, private, shared, link-local (with the clouds' metadata services),
 * multicast, documentation and reserved ranges are not; neither are IPv6 forms that carry such an IPv4 address, tunnels,
 * nor the machine's own addresses.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes("%")) return false;
  if (isOwnAddress(address)) return false;
  if (family === 4) return !NOT_PUBLIC.check(address, "ipv4");
  const carried = carriedIPv4(address);
  if (carried !== null) return isPublicAddress(carried);
  return GLOBAL_UNICAST.check(address, "ipv6") && !NOT_PUBLIC.check(address, "ipv6");
}

const NOT_PUBLIC = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  NOT_PUBLIC.addSubnet(network, prefix, "ipv4");
}
/** Alibaba's and Oracle's metadata services lie in ranges above; Azure's wire server does not. */
NOT_PUBLIC.addAddress("168.63.129.16", "ipv4");
for (const [network, prefix] of [
  // Teredo, benchmarks, ORCHID, documentation, 6to4: within global unicast, but nobody's host.
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  NOT_PUBLIC.addSubnet(network, prefix, "ipv6");
}

/** Everything else in IPv6 is local, multicast, special or not given out. */
const GLOBAL_UNICAST = new BlockList();
GLOBAL_UNICAST.addSubnet("2000::", 3, "ipv6");

/** The IPv4 address that a mapped (`::ffff:0:0/96`) or NAT64 (`64:ff9b::/96`) address stands for. */
function carriedIPv4(address: string): string | null {
  if (!CARRIERS.check(address, "ipv6")) return null;
  const tail = address.slice(address.lastIndexOf(":") + 1);
  if (isIPv4(tail)) return tail;
  const groups = expand(address).slice(-2);
  return groups.flatMap((group) => [group >> 8, group & 0xff]).join(".");
}

const CARRIERS = new BlockList();
CARRIERS.addSubnet("::ffff:0:0", 96, "ipv6");
CARRIERS.addSubnet("64:ff9b::", 96, "ipv6");

function expand(address: string): readonly number[] {
  const [head = "", tail] = address.split("::");
  const numbers = (part: string) => (part === "" ? [] : part.split(":").map((group) => parseInt(group, 16)));
  const after = tail === undefined ? [] : numbers(tail);
  const before = numbers(head);
  return [...before, ...Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after];
}

function isOwnAddress(address: string): boolean {
  return Object.values(networkInterfaces()).some((entries) =>
    (entries ?? []).some((entry) => entry.address === address),
  );
}
