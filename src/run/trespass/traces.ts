import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import type { Trespass } from "../../domain/run.ts";
import type { Touched } from "../workspace/changes.ts";
import type { Staged } from "../workspace/stage.ts";

/** What a run left that would act later, or elsewhere, if it were taken along. */
export function tracesOf(
  { ground }: Pick<Staged, "ground">,
  touched: readonly Touched[],
): readonly Trespass[] {
  return [
    ...startersIn(ground.home).map((name) => ({
      kind: "left-behind" as const,
      what: `write ~/${name}`,
      became: "removed with the run's home",
    })),
    ...hooksIn(ground).map((name) => ({
      kind: "left-behind" as const,
      what: `write .git/hooks/${name}`,
      became: "never run",
    })),
    ...touched.flatMap(traceOf),
  ];
}

/** What a user's shell or session runs by itself. */
const STARTERS = [
  ".bashrc",
  ".bash_profile",
  ".profile",
  ".zshrc",
  ".ssh/authorized_keys",
  ".config/autostart",
  ".config/systemd",
];

/** Mostly a home holds nothing but what was staged, and one look tells; one that cannot be listed is tried name by name. */
function startersIn(home: string): readonly string[] {
  const there = namesIn(home);
  const mayHold = (name: string): boolean => there?.includes(name.split("/")[0] ?? "") ?? true;
  return STARTERS.filter((name) => mayHold(name) && existsSync(join(home, name)));
}

function hooksIn({ workspace }: Staged["ground"]): readonly string[] {
  const folder = join(workspace.kind === "overlay" ? workspace.upper : workspace.path, ".git/hooks");
  const names = existsSync(folder) ? namesIn(folder) : null;
  return names?.filter((name) => !name.endsWith(".sample")) ?? [];
}

function namesIn(folder: string): readonly string[] | null {
  try {
    return readdirSync(folder);
  } catch {
    return null;
  }
}

/** Files that agents and editors obey where they find them. */
const OBEYED = /(?:^|\/)(?:\.claude\/settings(?:\.local)?\.json|\.mcp\.json|\.vscode\/tasks\.json|\.envrc)$/;

function traceOf({ path, kind, change, host, runsAsOwner }: Touched): readonly Trespass[] {
  if (change === "deleted" || change === "rewritten") return [];
  if (kind === "special")
    return [{ kind: "left-behind", what: `make the special file ${path}`, became: "not kept" }];
  if (kind === "link") {
    const target = targetOf(host);
    return target !== null && leadsOut(path, target)
      ? [{ kind: "left-behind", what: `link ${path} to ${target}`, became: "not followed" }]
      : [];
  }
  if (runsAsOwner === true)
    return [{ kind: "left-behind", what: `make ${path} run as its owner`, became: "kept without that" }];
  return OBEYED.test(path)
    ? [{ kind: "left-behind", what: `write ${path}`, became: "kept as an output, never obeyed" }]
    : [];
}

function targetOf(host: string): string | null {
  try {
    return readlinkSync(host);
  } catch {
    return null;
  }
}

function leadsOut(path: string, target: string): boolean {
  if (isAbsolute(target)) return !/^\/sandbox\/workspace(?:\/|$)/.test(target);
  return normalize(join(path, "..", target)).startsWith("..");
}
