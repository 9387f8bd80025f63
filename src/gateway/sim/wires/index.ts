import type { Wire } from "../wire.ts";
import { chat } from "./chat.ts";
import { gemini } from "./gemini.ts";
import { messages } from "./messages.ts";
import { responses } from "./responses.ts";

export const WIRES: readonly Wire[] = [messages, responses, chat, gemini];
