import { addressedText, evidenceText, printable, replayText, usageText } from "../../operations/text.ts";
import type { Explained } from "../../operations/explain.ts";

/** For a person at a terminal. What an agent says of itself is marked as no more than that. */
export function explanationText(explained: Explained): string {
  if (explained.by === "judge") {
    const passages = explained.evidence.map((piece) => `  ${evidenceText(piece)}\n`).join("");
    const addressed = explained.addressed.map((passage) => `  ${addressedText(passage)}\n`).join("");
    return printable(
      `Why, according to ${explained.model}\n  ${explained.cause}\n\nSeen in\n${passages}\nWhat could change\n  ${explained.remedy}\n${addressed === "" ? "" : `\nDo not trust\n${addressed}`}`,
    );
  }
  const { client, model, account, usage, replay } = explained;
  const program = [client.name, client.version].filter((part) => part !== null).join(" ");
  const who = model === null ? program : `${program}, model ${model}`;
  const lines = account.split("\n").map((line) => `  ${line}`.trimEnd());
  return printable(
    [
      `Why, the agent says (${who}; its own account, no evidence)`,
      ...lines,
      "",
      `  asked in its own session: ${usageText(usage)}${replay === null ? "" : `; replay: ${replayText(replay)}`}`,
      "",
    ].join("\n"),
  );
}
