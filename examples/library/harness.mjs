import { runLineAgent } from "assay/toolbox";

const COMMAND = `cat > /dev/null
rows=$(python3 "$ASSAY_SKILL_PATH/scripts/summary.py" evals/files/*.csv | sed -n 's/.*"rows": //p' | tr -d ,)
echo "Rows: $rows" > report.md
echo "The file has $rows rows. The report is report.md."`;

/** An agent without a model: it only runs the skill's own script. Shows what the model adds. */
export const scriptOnly = {
  name: "script-only",
  help: "runs the skill's script, without a model",
  create: () => ({
    name: "script-only",
    skillsFolder: ".claude/skills",
    onlyPrograms: true,
    find: async () => ({ name: "script-only", version: null, readable: [] }),
    run: (request, context) =>
      runLineAgent({ program: "/bin/sh", args: ["-c", COMMAND], env: {} }, request, context),
  }),
};
