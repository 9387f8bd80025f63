import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { OPENAI_YAML, type Skill } from "../domain/skill.ts";
import { toPlain } from "../lib/document/node.ts";
import { parseYaml } from "../lib/document/yaml.ts";

/**
 * Whether Codex may take the skill up by itself: `policy.allow_implicit_invocation` of agents/openai.yaml. True where nothing
 * says otherwise, or where the file cannot be read, as Codex has it.
 */
export async function allowsImplicit({ layout, root }: Pick<Skill, "layout" | "root">): Promise<boolean> {
  if (layout === "command") return true;
  const path = join(root, OPENAI_YAML);
  const size = await stat(path).then(
    (found) => (found.isFile() ? found.size : null),
    () => null,
  );
  if (size === null || size > MOST_BYTES) return true;
  const parsed = parseYaml(await readFile(path, "utf8").catch(() => ""));
  const plain = parsed.ok ? toPlain(parsed.root) : null;
  const policy = isMapping(plain) ? plain["policy"] : null;
  return !(isMapping(policy) && policy["allow_implicit_invocation"] === false);
}

const MOST_BYTES = 256 * 1024;

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
