import { expect, it } from "vitest";
import { readHost, readHosts } from "./network.ts";

it.each([
  [["example.com"], ["example.com:443"]],
  [
    ["Example.COM.", "example.com:443", "example.com:8443"],
    ["example.com:443", "example.com:8443"],
  ],
  [
    ["127.0.0.1:80", "[::1]:80"],
    ["127.0.0.1:80", "[::1]:80"],
  ],
  [["codex"], ["api.openai.com:443", "auth.openai.com:443", "chatgpt.com:443"]],
  [["https://example.com"], null],
  [["*.example.com"], null],
  [["example.com:0"], null],
  [["example.com:65536"], null],
  [["a b"], null],
  [[""], null],
])("%j is read as %j", (words, hosts) => {
  expect(readHosts(words)).toEqual(hosts);
});

it.each(["example.com", "example.com:", ":443", "example.com:443/x", "user@example.com:443", "a\n:443"])(
  "%j is no host with a port",
  (text) => {
    expect(readHost(text)).toBeNull();
  },
);
