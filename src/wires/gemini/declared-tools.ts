import { listAt } from "../../lib/loose.ts";

/** Tools come in groups here. */
export function declaredTools(body: unknown): readonly unknown[] {
  return listAt(body, "tools").flatMap((tool) => listAt(tool, "functionDeclarations"));
}
