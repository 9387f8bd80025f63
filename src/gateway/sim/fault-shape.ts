import { object, optional } from "../../lib/shape/object.ts";
import { type Invalid, invalid, pathText, type Shape } from "../../lib/shape/shape.ts";
import { anything, int, number, record, refine, text } from "../../lib/shape/values.ts";
import type { SimFault } from "./script.ts";
import { type DocNode, valueOf } from "../../lib/document/node.ts";

const millis = int({ min: 0, max: 86_400_000 });

const fields = object(
  {
    status: optional(int({ min: 400, max: 599 })),
    retryAfter: optional(number({ min: 0 })),
    message: optional(text()),
    body: optional(anything()),
    headers: optional(record(text()), {}),
    drop: optional(yes()),
    stall: optional(yes()),
    cutAfter: optional(int({ min: 0 })),
    malformed: optional(yes()),
    errorEvent: optional(text()),
    delayMs: optional(millis, 0),
    chunkDelayMs: optional(millis, 0),
  },
  {
    unknownKeys: "error",
    hints: { retry_after: "retryAfter", cut: "cutAfter", delay: "delayMs", code: "status" },
  },
);

type Read = Exclude<ReturnType<typeof fields.read>, Invalid>;

/** What goes wrong on the way to the client; at most one effect, each with a delay if wanted. */
export const faultShape: Shape<SimFault> = refine(fields, (read, context, node) => {
  const effects = ["status", "drop", "stall", "cutAfter", "malformed", "errorEvent"].filter((key) =>
    given(node, key),
  );
  if (effects.length > 1) {
    return invalid(context, node, {
      code: "several-faults",
      message: `${pathText(context.path)} has ${effects.join(" and ")}; one rule has one effect`,
      hint: 'give each its own rule with "times"',
    });
  }
  const stray = ["retryAfter", "body", "headers"].filter((key) => given(node, key) && read.status === null);
  if (stray.length > 0) {
    return invalid(context, node, {
      code: "fault-without-status",
      message: `${pathText(context.path)} has ${stray.join(", ")}, which belongs to a "status"`,
    });
  }
  return { delayMs: read.delayMs, chunkDelayMs: read.chunkDelayMs, effect: toEffect(read) };
});

function toEffect(read: Read): SimFault["effect"] {
  if (read.status !== null) {
    const retry = read.retryAfter === null ? {} : { "retry-after": String(read.retryAfter) };
    const { status, message, body } = read;
    return { kind: "status", status, message, body, headers: { ...read.headers, ...retry } };
  }
  if (read.drop !== null) return { kind: "drop" };
  if (read.stall !== null) return { kind: "stall" };
  if (read.cutAfter !== null) return { kind: "cut", afterEvents: read.cutAfter };
  if (read.malformed !== null) return { kind: "malformed" };
  if (read.errorEvent !== null) {
    return { kind: "error-event", type: read.errorEvent, message: read.message ?? read.errorEvent };
  }
  return { kind: "none" };
}

/** Only `true` makes sense; leaving the key out is the other value. */
function yes(): Shape<true> {
  return {
    schema: { const: true },
    read: (node, context) =>
      node.kind === "bool" && node.value
        ? true
        : invalid(context, node, {
            code: "not-true",
            message: `${pathText(context.path)} must be true or left out`,
          }),
  };
}

function given(node: DocNode, key: string): boolean {
  return valueOf(node, key) !== undefined;
}
