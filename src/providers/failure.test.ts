import { describe, expect, it } from "vitest";
import { failureOfError, failureOfReply } from "./failure.ts";

const AT = "Sun, 15 Nov 2026 12:00:00 GMT";

describe("how long a service asks to wait", () => {
  it.each([
    [{ "retry-after": "12" }, 12_000],
    [{ "retry-after": "0.25" }, 250],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after-ms": "321", "retry-after": "9" }, 321],
    [{ "retry-after": "Sun, 15 Nov 2026 12:00:30 GMT", date: AT }, 30_000],
    [{ "retry-after": "Sun, 15 Nov 2026 11:00:00 GMT", date: AT }, 0],
  ])("%j", (headers, waitMs) => {
    expect(failureOfReply({ status: 429, headers, text: "" }).retry).toEqual({ kind: "after", waitMs });
  });

  it.each([{ "retry-after": "soon" }, { "retry-after": "-3" }, { "retry-after": "" }, {}])(
    "is ours to choose with %j",
    (headers) => {
      expect(failureOfReply({ status: 429, headers, text: "" }).retry).toEqual({ kind: "back-off" });
    },
  );
});

describe("a message", () => {
  it.each([
    ['{"error":{"type":"overloaded_error","message":"Overloaded"}}', "529: Overloaded"],
    ['{"error":"model not loaded"}', "529: model not loaded"],
    ['{"message":"at the top"}', "529: at the top"],
    ["upstream connect error", "529: upstream connect error"],
    ["", "529: no message"],
    ["[]", "529: []"],
    ['{"error":{"message":"assay gateway: the budget is spent"}}', "the budget is spent"],
  ])("is read from %j", (text, message) => {
    expect(failureOfReply({ status: 529, headers: {}, text }).message).toBe(message);
  });
});

describe("an error in a reply that says 200", () => {
  it.each([
    ["rate_limit_exceeded", "rate-limit", "back-off"],
    ["server_error", "api", "back-off"],
    ["502", "api", "back-off"],
    ["429", "rate-limit", "back-off"],
    ["401", "auth", "never"],
    ["insufficient_quota", "budget", "never"],
    ["invalid_prompt", "api", "never"],
    ["", "api", "never"],
  ])("%j is %s, tried again: %s", (code, reason, kind) => {
    expect(failureOfError({ code, message: "no" })).toMatchObject({ reason, retry: { kind } });
  });

  it.each([
    ["404", 404],
    ["server_error", null],
    ["", null],
  ])("%j tells the status %s", (code, status) => {
    expect(failureOfError({ code, message: "no" }).status).toBe(status);
  });
});
