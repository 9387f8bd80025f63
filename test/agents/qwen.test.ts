import { qwenClient } from "../e2e/support/clients.ts";
import { agentSuite } from "./support/agent-suite.ts";

agentSuite(await qwenClient(), {
  lacks: ["tool errors", "cache writes", "giving up"],
  bundled: ["batch", "loop", "qc-helper", "review"],
  endsDaemons: true,
  cutsOutput: true,
  compacts: true,
  deadlineSeconds: 20,
});
