import { geminiClient } from "../e2e/support/clients.ts";
import { agentSuite } from "./support/agent-suite.ts";

agentSuite(await geminiClient(), {
  lacks: ["tool errors", "cache writes", "giving up"],
  model: "gemini-2.5-pro",
  deadlineSeconds: 20,
});
