/** What other tools call what we have under another name. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  eval: "assay run",
  evaluate: "assay run",
  test: "assay run",
  triggers: "assay run --mode triggers",
  validate: "assay check, or assay grade --output for a captured text",
  lint: "assay check",
  extract: "assay grade",
  regrade: "assay grade",
  benchmark: "assay bench",
  diff: "assay compare",
  tune: "assay improve",
  suggest: "assay improve --suggest",
  "propose-eval": "assay propose",
  generate: "assay propose",
  "generate-evals": "assay propose --to skillet",
  create: "assay improve --from-evals",
  audit: "assay trend --audit",
  badge: "assay trend --badge",
  ls: "assay list",
  pause: "assay control pause",
  resume: "assay run --resume, or assay control resume for a run that was paused",
  stop: "assay control stop",
  watch: "assay run --watch",
  ps: "assay status",
};

/** Where a command of another tool is found here; null: not one we know. */
export function commandElsewhere(word: string): string | null {
  return Object.hasOwn(ELSEWHERE, word) ? `try ${ELSEWHERE[word]}` : null;
}
