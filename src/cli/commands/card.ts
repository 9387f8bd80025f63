import {
  card,
  cardLines,
  CARD_OPTIONS,
  checkCard,
  CHECK_CARD_OPTIONS,
  type CardDifference,
  evidenceLines,
  type SignatureState,
  VERIFY_CARD_OPTIONS,
  verifyCard,
} from "../../operations/card.ts";
import { UserError } from "../../domain/user-error.ts";
import { printable, shownPath } from "../../operations/text.ts";
import type { CliCommand, CommandCall } from "../command.ts";
import { EXIT } from "../exit.ts";
import { defineOptions } from "../options.ts";

/** Writes an evidence card, or holds one against the journals or the skill. */
export const command: CliCommand = {
  define(definition) {
    definition.argument("[skill]", CARD_OPTIONS.skill.help);
    defineOptions(definition, { ...CARD_OPTIONS, ...VERIFY_CARD_OPTIONS });
    definition
      .option("--verify <card>", "compute the card again from its journals, and say what differs")
      .option(
        "--check <card>",
        "draw the card's picture again: gray if the skill has changed; needs no results",
      )
      .option("--json", "print JSON")
      .addHelpText("after", HELP);
  },
  async run(call) {
    const { verify, check } = call.options;
    if (verify !== undefined && check !== undefined)
      throw new UserError("card/two-questions", "--verify and --check exclude each other", {
        hint: "--verify needs the results; --check needs only the skill",
      });
    if (typeof verify === "string") return await printVerified(call, verify);
    return typeof check === "string" ? await printChecked(call, check) : await writeCard(call);
  },
};

const HELP = `
A card rests on finished iterations of assay run and assay bench over the whole suite, of the skill as it is now.

Exit codes: 0; 1 when a card does not hold: a number differs, the signature is bad, or the skill has changed; 2 bad input.

Examples:
  assay card pdf
  assay card pdf --sign card-key.pem    # needs a key of yours
  assay card --verify assay-card.json
  assay card --check assay-card.json skills/pdf`;

async function writeCard(call: CommandCall): Promise<number> {
  const written = await card({ ...call.given(CARD_OPTIONS), skill: skillOf(call) }, await doorOf(call));
  const { terminal } = call;
  if (call.options["json"] === true) return printJson(call, written);
  const lines = [
    ...written.card.evidence.flatMap(evidenceLines),
    ...cardLines(written.card, written.fingerprint),
    `wrote ${shownPath(written.path, terminal.cwd)} and ${shownPath(written.picture, terminal.cwd)}`,
  ];
  terminal.out(`${printable(lines.join("\n"))}\n`);
  return EXIT.ok;
}

async function printVerified(call: CommandCall, file: string): Promise<number> {
  const given = { ...call.given(VERIFY_CARD_OPTIONS), card: file, skill: skillOf(call) };
  const verified = await verifyCard(given, await doorOf(call));
  const { holds, differences, signature, fresh, card: read } = verified;
  if (call.options["json"] === true) printJson(call, verified);
  else {
    const count = read.evidence.map(({ iteration }) => iteration).join(", ");
    const lines = [
      differences.length === 0
        ? `every number matches the journal of iteration ${count}`
        : "the journals do not bear out the card:",
      ...differences.map(differenceText),
      signatureText(signature),
      FRESHNESS[String(fresh)] ?? "",
      holds ? "The card holds." : "The card does not hold.",
    ];
    call.terminal.out(`${printable(lines.join("\n"))}\n`);
  }
  return holds ? EXIT.ok : EXIT.gateMissed;
}

async function printChecked(call: CommandCall, file: string): Promise<number> {
  const given = { ...call.given(CHECK_CARD_OPTIONS), card: file, skill: skillOf(call) };
  const checked = await checkCard(given, await doorOf(call));
  if (call.options["json"] === true) printJson(call, checked);
  else
    call.terminal.out(
      printable(
        `${FRESHNESS[String(checked.fresh)]}\ndrew ${shownPath(checked.picture, call.terminal.cwd)}\n`,
      ),
    );
  return checked.fresh ? EXIT.ok : EXIT.gateMissed;
}

const FRESHNESS: Readonly<Record<string, string>> = {
  true: "the skill is still the version that was measured",
  false: "the skill has changed since it was measured: measure it again with assay bench, then assay card",
  null: "the skill was not found here, so nobody can say whether it has changed: pass its directory",
};

function differenceText({ path, card: said, journal }: CardDifference): string {
  return `  ${path}: the card says ${JSON.stringify(said)}, the journal says ${JSON.stringify(journal)}`;
}

function signatureText(signature: SignatureState): string {
  switch (signature.status) {
    case "unsigned":
      return "the card is not signed";
    case "bad":
      return `bad signature: ${signature.reason}`;
    case "good":
      return signature.trusted
        ? `signed with the key you named, ${signature.fingerprint}`
        : `signed with the key in the card, ${signature.fingerprint}: compare it with the author's`;
  }
}

function printJson({ terminal }: CommandCall, value: unknown): number {
  terminal.out(`${JSON.stringify(value, null, 2)}\n`);
  return EXIT.ok;
}

function skillOf({ args }: CommandCall): string | undefined {
  const [skill] = args as [string | undefined];
  return skill;
}

async function doorOf({ machine, config }: CommandCall) {
  return { machine, config: await config() };
}
