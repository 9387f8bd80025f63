import { textAt } from "../lib/loose.ts";
import type { OfferedTool } from "./ask.ts";

/** A tool that takes JSON, which every dialect describes with the same two words. */
export function offeredTool(tool: unknown): OfferedTool {
  return { name: textAt(tool, "name"), custom: false, description: textAt(tool, "description") };
}
