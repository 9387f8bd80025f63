import { describe, expect, it } from "vitest";

import { trialEnv } from "./env.ts";

const places = { workspace: "/w", home: "/h", temp: "/t" };

describe("trialEnv", () => {
  it("holds the search path, the way to the network and fixed values, and nothing else of the host", () => {
    const base = {
      PATH: "/usr/bin:/bin",
      HOME: "/home/me",
      USER: "me",
      ANTHROPIC_API_KEY: "secret",
      AWS_SECRET_ACCESS_KEY: "secret",
      NODE_OPTIONS: "--require=/evil.js",
      LD_PRELOAD: "/evil.so",
      GIT_DIR: "/elsewhere",
      CLAUDECODE: "1",
      HTTPS_PROXY: "http://proxy:1",
      no_proxy: "localhost",
      NODE_EXTRA_CA_CERTS: "/ca.pem",
      SSL_CERT_FILE: "",
      TZ: "Asia/Tokyo",
      LANG: "de_DE.UTF-8",
    };
    expect(trialEnv({ places, base })).toEqual({
      PATH: "/usr/bin:/bin",
      HTTPS_PROXY: "http://proxy:1",
      no_proxy: "localhost",
      NODE_EXTRA_CA_CERTS: "/ca.pem",
      LANG: "C.UTF-8",
      LC_ALL: "C.UTF-8",
      TZ: "UTC",
      GIT_AUTHOR_DATE: "2025-01-01T00:00:00Z",
      GIT_COMMITTER_DATE: "2025-01-01T00:00:00Z",
      HOME: "/h",
      TMPDIR: "/t",
      XDG_CONFIG_HOME: "/h/.config",
      XDG_CACHE_HOME: "/h/.cache",
      XDG_DATA_HOME: "/h/.local/share",
      XDG_STATE_HOME: "/h/.local/state",
    });
  });

  it.each([
    ["/a:./bin:node_modules/.bin::/b", "/a:/b"],
    ["", "/usr/local/bin:/usr/bin:/bin"],
    [undefined, "/usr/local/bin:/usr/bin:/bin"],
  ])("takes only absolute entries of the search path %j", (PATH, expected) => {
    expect(trialEnv({ places, base: { PATH } })["PATH"]).toBe(expected);
  });
});
