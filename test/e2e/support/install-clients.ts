import { claude, codexClient, geminiClient, laterClaude, qwenClient } from "./clients.ts";

/** Once, before test files run side by side: two installations into one folder would break each other. */
export async function setup(): Promise<void> {
  await claude();
  await laterClaude();
  await codexClient();
  await Promise.all([qwenClient(), geminiClient()]);
}
