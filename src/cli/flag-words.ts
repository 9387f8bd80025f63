import type { Command } from "commander";

/** What other tools call what we have under another name. */
const ELSEWHERE: Readonly<Record<string, { readonly of: string; readonly here: string }>> = {
  "--variance": { of: "clauditor", here: "--runs; it counts every run, so --variance 2 is --runs 3" },
  "--only-criterion": { of: "clauditor", here: "assay grade --only" },
  "--min-baseline-delta": { of: "clauditor", here: "assay bench --min-effect" },
  "--baseline": { of: "clauditor", here: "assay bench" },
  "--diff": { of: "clauditor", here: "assay compare" },
  "--from-iteration": { of: "clauditor", here: "--iteration of assay improve and assay propose" },
  "--from-capture": { of: "clauditor", here: "assay propose --from" },
  "--project-dir": { of: "clauditor", here: "--project-root" },
  "--no-api-key": { of: "clauditor", here: "--transport cli" },
  "--blind": { of: "clauditor", here: "assay compare, which always judges blind" },
  "--spec": { of: "clauditor", here: "--evals" },
  "--cross-harness": { of: "clauditor", here: "assay compare --cross" },
  "--cross-provider": { of: "clauditor", here: "assay compare --cross" },
  "--target": { of: "Skillet", here: "assay improve --goal" },
  "--list-rules": { of: "Skillet", here: "assay check --rules" },
  "--agent": { of: "Skillet", here: "--harness" },
  "--samples": { of: "Skillet", here: "--runs" },
  "--parallel": { of: "Skillet", here: "--concurrency" },
  "--tools": { of: "Skillet", here: "--allowed-tools" },
  "--skip-cache": { of: "Skillet", here: "--no-cache" },
  "--max-evals": { of: "Skillet", here: "--case or --shard" },
  "--rounds": { of: "Skillet", here: "--rounds of assay improve" },
  "--skill-path": { of: "skill-creator", here: "the argument, or --skill" },
  "--eval-set": { of: "skill-creator", here: "--evals" },
  "--num-workers": { of: "skill-creator", here: "--concurrency" },
  "--runs-per-query": { of: "skill-creator", here: "--runs" },
  "--evals-file": { of: "BMad", here: "--evals" },
  "--triggers-file": { of: "BMad", here: "--evals" },
  "--eval-ids": { of: "BMad", here: "--case" },
  "--case-ids": { of: "BMad", here: "--case" },
  "--workers": { of: "BMad", here: "--concurrency" },
  "--threshold": { of: "BMad", here: "--trigger-threshold" },
  "--isolation": { of: "BMad", here: "--sandbox" },
  "--queries": { of: "BMad", here: "--evals" },
  "--variant-path": { of: "BMad", here: "assay bench --against" },
  "--adapter": { of: "BMad", here: "--harness command --command PROGRAM" },
  "--max-iterations": { of: "skill-creator", here: "assay improve --rounds" },
  "--output-dir": { of: "BMad", here: "--workspace" },
};

/** Where a flag of another tool is found here; null: not one we know. */
export function flagElsewhere(flag: string): string | null {
  const known = Object.hasOwn(ELSEWHERE, flag) ? ELSEWHERE[flag] : undefined;
  return known === undefined ? null : `${known.of}'s ${flag} is ${known.here} here`;
}

/** Puts our spelling for a flag in the plural or in the singular, `--cases` for `--case`, wherever a flag can stand. */
export function respelled(args: readonly string[], { options }: Command): readonly string[] {
  const words: string[] = [];
  let isValue = false;
  for (const [index, word] of args.entries()) {
    if (word === "--") return [...words, ...args.slice(index)];
    const ours: string = isValue ? word : ourSpelling(word, options);
    words.push(ours);
    isValue = !isValue && options.some((one) => one.required && (one.long === ours || one.short === ours));
  }
  return words;
}

function ourSpelling(word: string, options: Command["options"]): string {
  const [flag = "", ...value] = word.split("=");
  if (!flag.startsWith("--")) return word;
  const near = [flag, `${flag}s`, flag.replace(/s$/, ""), flag.replace(/es$/, "")];
  const ours = near.find((one) => options.some(({ long }) => long === one)) ?? flag;
  return [ours, ...value].join("=");
}
