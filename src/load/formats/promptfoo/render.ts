import type { Json } from "../../../domain/json.ts";

export type Vars = Readonly<Record<string, Json>>;

export interface Rendered {
  readonly text: string;
  /** Names that have no value, which promptfoo renders as nothing. */
  readonly unknown: readonly string[];
  /** What of the template language is more than a name in braces; null: nothing. */
  readonly beyond: string | null;
}

/** A template with its `{{names}}` filled in; what else the template language can do is not done here. */
export function render(template: string, vars: Vars): Rendered {
  const unknown: string[] = [];
  let beyond = /\{%[\s\S]*?%\}/.exec(template)?.[0] ?? null;
  const text = template
    .replaceAll(/\{#[\s\S]*?#\}/g, "")
    .replaceAll(/\{\{([\s\S]*?)\}\}/g, (whole, inside: string) => {
      const name = inside.replaceAll(/^-|-$/g, "").trim();
      if (!/^[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*$/u.test(name)) {
        beyond ??= whole;
        return whole;
      }
      const value = lookUp(vars, name);
      if (value === undefined) unknown.push(name);
      return value === undefined || value === null ? "" : spelled(value);
    });
  return { text, unknown, beyond };
}

function lookUp(vars: Vars, name: string): Json | undefined {
  if (Object.hasOwn(vars, name)) return vars[name];
  let at: Json | undefined = vars;
  for (const part of name.split(".")) {
    if (typeof at !== "object" || at === null || Array.isArray(at) || !Object.hasOwn(at, part))
      return undefined;
    at = (at as Record<string, Json>)[part];
  }
  return at;
}

function spelled(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
