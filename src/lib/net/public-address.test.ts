import { networkInterfaces } from "node:os";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isPublicAddress } from "./public-address.ts";

it.each([
  "8.8.8.8",
  "1.1.1.1",
  "172.15.255.255",
  "172.32.0.1",
  "100.63.255.255",
  "100.128.0.1",
  "169.253.1.1",
  "223.255.255.254",
  "2606:4700:4700::1111",
  "2a00:1450:4001:80b::200e",
  "::ffff:8.8.8.8",
  "::ffff:808:808",
  "64:ff9b::8.8.8.8",
])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each([
  ["this host", "0.0.0.0"],
  ["this network", "0.1.2.3"],
  ["loopback", "127.0.0.1"],
  ["all of loopback", "127.255.255.254"],
  ["private", "10.0.0.1"],
  ["private", "172.16.0.1"],
  ["private", "172.31.255.255"],
  ["private", "192.168.1.1"],
  ["shared by carriers", "100.64.0.1"],
  ["Alibaba's metadata", "100.100.100.200"],
  ["link-local", "169.254.0.1"],
  ["metadata", "169.254.169.254"],
  ["Oracle's metadata", "192.0.0.192"],
  ["Azure's wire server", "168.63.129.16"],
  ["documentation", "192.0.2.1"],
  ["documentation", "198.51.100.1"],
  ["documentation", "203.0.113.1"],
  ["benchmarks", "198.18.0.1"],
  ["6to4 relays", "192.88.99.1"],
  ["multicast", "224.0.0.1"],
  ["multicast", "239.255.255.250"],
  ["reserved", "240.0.0.1"],
  ["broadcast", "255.255.255.255"],
  ["unspecified", "::"],
  ["loopback", "::1"],
  ["loopback, mapped", "::ffff:127.0.0.1"],
  ["loopback, mapped in hex", "::ffff:7f00:1"],
  ["loopback, mapped in full", "0:0:0:0:0:ffff:7f00:0001"],
  ["metadata, mapped", "::ffff:a9fe:a9fe"],
  ["loopback, compatible", "::127.0.0.1"],
  ["loopback over NAT64", "64:ff9b::7f00:1"],
  ["a private address over NAT64", "64:ff9b::10.0.0.1"],
  ["local NAT64", "64:ff9b:1::1"],
  ["loopback over 6to4", "2002:7f00:1::1"],
  ["any 6to4", "2002:808:808::1"],
  ["Teredo", "2001:0:53aa:64c::1"],
  ["documentation", "2001:db8::1"],
  ["documentation", "3fff::1"],
  ["discard", "100::1"],
  ["unique local", "fc00::1"],
  ["AWS's metadata", "fd00:ec2::254"],
  ["link-local", "fe80::1"],
  ["link-local with a zone", "fe80::1%eth0"],
  ["a public address with a zone", "2606:4700:4700::1111%eth0"],
  ["site-local", "fec0::1"],
  ["multicast", "ff02::1"],
  ["no address", "localhost"],
  ["nothing", ""],
  ["an octal spelling", "0177.0.0.1"],
])("%s is not public: %s", (_why, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it("does not take the machine's own addresses for public", () => {
  for (const entry of Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])) {
    expect(isPublicAddress(entry.address)).toBe(false);
  }
});

it("says the same of an IPv4 address and of the same address mapped into IPv6", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublicAddress(address));
    }),
  );
});

it("decides any IPv6 address", () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      expect(typeof isPublicAddress(address)).toBe("boolean");
    }),
  );
});
