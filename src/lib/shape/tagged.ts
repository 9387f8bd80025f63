import { valueOf } from "../document/node.ts";
import { nearest } from "../nearest.ts";
import { invalid, pathText, type Shape } from "./shape.ts";
import { wrongType } from "./values.ts";

/** An object whose shape depends on the text under one key. Each shape describes that key itself. */
export function tagged<T>(tag: string, shapes: Readonly<Record<string, Shape<T>>>): Shape<T> {
  const tags = Object.keys(shapes);
  return {
    schema: { anyOf: Object.values(shapes).map((shape) => shape.schema) },
    read(node, context) {
      if (node.kind !== "object") return wrongType(node, context, "an object");
      const named = valueOf(node, tag);
      if (named === undefined) {
        return invalid(context, node, {
          code: "missing-key",
          message: `${pathText(context.path)} has no ${JSON.stringify(tag)}, which is required`,
          hint: `one of ${tags.join(", ")}`,
        });
      }
      const shape =
        named.kind === "string" && Object.hasOwn(shapes, named.value) ? shapes[named.value] : undefined;
      if (shape !== undefined) return shape.read(node, context);
      const at = `${pathText(context.path)}.${tag}`;
      if (named.kind !== "string") {
        return invalid(context, named, { code: "wrong-type", message: `${at} must be a string` });
      }
      const near = nearest(named.value, tags);
      return invalid(context, named, {
        code: "not-a-choice",
        message: `${at} is ${JSON.stringify(named.value)}, which is not known`,
        hint: near === null ? `one of ${tags.join(", ")}` : `did you mean ${JSON.stringify(near)}?`,
      });
    },
  };
}
