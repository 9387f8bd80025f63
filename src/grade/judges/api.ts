import type { MessagePart, ModelMessage, Provider } from "../../providers/provider.ts";
import { askTwice, complaint, type Said, type Utterance } from "../asking/ask-twice.ts";
import type { Judge, Wording } from "../judge.ts";

/** Asks over a model service. */
export function apiJudge({ provider, model }: { provider: Provider; model: string }): Judge {
  return {
    name: provider.name,
    model,
    takesImages: provider.takesImages ?? false,
    ask: (question, signal) =>
      askTwice(question, async (utterance): Promise<Said> => {
        const reply = await provider.complete(
          {
            model,
            system: question.system,
            messages: messagesOf(question, utterance),
            tools: [],
            schema: question.reply.schema,
            maxTokens: utterance.maxTokens,
          },
          signal,
        );
        const { usage } = reply;
        if (reply.status === "failed")
          return {
            status: "silent",
            reason: `${reply.reason}: ${reply.message}`,
            usage,
            ...(reply.isLasting && { isLasting: true }),
          };
        return { status: "said", text: textOf(reply.parts), stop: STOPS[reply.stop], usage };
      }),
  };
}

const STOPS = {
  end: "end",
  "tool-use": "end",
  other: "end",
  "max-tokens": "cut",
  refusal: "refused",
} as const;

function messagesOf(question: Wording, { rejected }: Utterance): readonly ModelMessage[] {
  const asked: readonly MessagePart[] = question.parts;
  if (rejected === null) return [{ role: "user", parts: asked }];
  const words: MessagePart = { kind: "text", text: complaint(rejected.problem) };
  // Services refuse an empty message, so without a reply to show the complaint joins the question.
  if (rejected.reply === "") return [{ role: "user", parts: [...asked, words] }];
  return [
    { role: "user", parts: asked },
    { role: "assistant", parts: [{ kind: "text", text: rejected.reply }] },
    { role: "user", parts: [words] },
  ];
}

function textOf(parts: readonly MessagePart[]): string {
  return parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n");
}
