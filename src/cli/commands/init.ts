import { init, INIT_OPTIONS, type Initialized } from "../../operations/init.ts";
import { printable, shownPath } from "../../operations/text.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { defineOptions } from "../options.ts";
import { diagnosticsText } from "../render/diagnostics.ts";
import type { Terminal } from "../terminal.ts";

/** Makes a skill ready for its first verdict. */
export const command: CliCommand = {
  define(definition) {
    definition.argument("[skill]", INIT_OPTIONS.target.help);
    defineOptions(definition, INIT_OPTIONS);
    definition.option("-y, --yes", "ask nothing; take anything not given from the skill itself");
    definition.addHelpText(
      "after",
      `
Writes a first case beside the skill, assay.config.json, a line in .gitignore, and a CI file where the project uses GitHub or
GitLab. Nothing is overwritten.

Examples:
  assay init
  assay init skills/pdf --prompt "Merge a.pdf and b.pdf" --expected "One file with all pages of both, in that order"
  assay init skills/pdf --to skillet --ci github --yes

Exit codes: 0 written, 2 wrong input, or every skill has evals already.`,
    );
  },
  async run(call) {
    const { terminal, machine, options } = call;
    const [target] = call.args as [string | undefined];
    const isAsking = terminal.interactive && options["yes"] !== true;
    const started = await init(
      { ...(target !== undefined && { target }), ...call.given(INIT_OPTIONS) },
      {
        machine,
        config: await call.config(),
        ...(isAsking && { ask: (question, preset) => askWith(question, preset, terminal) }),
      },
    );
    report(started, terminal);
    return EXIT.ok;
  },
};

async function askWith(question: string, preset: string, terminal: Terminal): Promise<string> {
  const answer = await terminal.ask(printable(`${question}\n[${preset}] > `));
  return answer.trim() === "" ? preset : answer.trim();
}

function report(
  { path, written, kept, isDraft, agents, hasService, others, errors }: Initialized,
  terminal: Terminal,
): void {
  const show = (one: string): string => printable(shownPath(one, terminal.cwd));
  for (const one of written) terminal.out(`wrote ${show(one)}\n`);
  for (const one of kept) terminal.out(`kept  ${show(one)}\n`);
  if (isDraft)
    terminal.err(`The first case is a draft: put a real request into ${show(written[0] ?? "")}.\n`);
  const [agent] = agents;
  terminal.err(
    agent === undefined
      ? `No agent found. ${hasService ? "The built-in one works with your key" : "Install Claude Code or Codex, or set ANTHROPIC_API_KEY and use --harness builtin"}.\n`
      : `Agents here: ${printable(agents.join(", "))}\n`,
  );
  for (const one of others.slice(0, 3)) terminal.err(`Also without evals: assay init ${show(one)}\n`);
  if (others.length > 3) terminal.err(`… and ${others.length - 3} more\n`);
  if (errors.length > 0) {
    terminal.err(`\n${diagnosticsText(errors, terminal, "err")}`);
    terminal.err(
      `\nNext: fix ${errors.length === 1 ? "this error" : "these errors"}, then\n  assay check ${show(path)}\n`,
    );
    return;
  }
  const next = agent === undefined && !hasService ? "doctor" : "run";
  const harness = agent === undefined && hasService ? " --harness builtin" : "";
  terminal.err(`\nNext:\n  assay ${next} ${show(path)}${harness}\n`);
}
