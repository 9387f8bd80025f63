import { type ClientListing, listing, type SkillInList, LISTING_OPTIONS } from "../../operations/listing.ts";
import { plural, printable, thousands, wrap } from "../../operations/text.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { defineOptions } from "../options.ts";
import { table } from "../render/table.ts";
import { lookOf } from "../reporters.ts";
import { targetsArgument } from "../shared-options.ts";

/** What models are told of skills before they have read any. */
export const command: CliCommand = {
  define(definition) {
    definition.addArgument(targetsArgument());
    defineOptions(definition, LISTING_OPTIONS);
    definition.option("--json", "print JSON").addHelpText(
      "after",
      `
Clients cut their list of skills to fit: a description that is not listed cannot make a model use the skill.

Exit codes: 0; 1 when a client shortens or omits one of the skills; 2 bad input.

Examples:
  assay listing skills/pdf --beside ~/.claude/skills    # needs skills there
  assay listing skills --client codex --context 128000`,
    );
  },
  async run(call) {
    const [targets] = call.args as [string[]];
    const door = { machine: call.machine, config: await call.config() };
    const found = await listing({ ...call.given(LISTING_OPTIONS), targets }, door);
    const { columns } = lookOf(call.terminal);
    call.terminal.out(
      call.options["json"] === true
        ? `${JSON.stringify(found, null, 2)}\n`
        : found.map((one) => clientText(one, columns)).join("\n"),
    );
    return found.some(({ skills }) => skills.some(isCut)) ? EXIT.gateMissed : EXIT.ok;
  },
};

function isCut({ status }: SkillInList): boolean {
  return status === "shortened" || status === "name only" || status === "omitted";
}

function clientText(
  { client, versions, rule, budget, skills, others }: ClientListing,
  columns: number | null,
): string {
  const head = [
    `${client}${versions === null ? "" : ` (rule of ${versions})`}: ${rule}`,
    ...(budget === null
      ? []
      : [
          `The list may take ${thousands(budget.limit)} ${budget.unit}; whole it would take ${thousands(budget.needed)}.`,
        ]),
  ];
  if (budget === null) return `${wrap(head.join(" "), columns ?? 100).join("\n")}\n`;
  const rows = skills.map(({ name, status, shown, of, reason }) => [
    printable(name),
    status,
    `${shown} of ${of}`,
    reason ?? "",
  ]);
  const cut = others.filter(isCut).length;
  const rest =
    others.length === 0 ? "" : `beside ${plural(others.length, "other skill")}, ${cut} of them cut\n`;
  return `${wrap(head.join(" "), columns ?? 100).join("\n")}\n\n${table(["skill", "listed", "description", "why"], rows, columns)}${rest}`;
}
