import { defineConfig } from "vitest/config";
import { CorpusReporter } from "./test/support/corpus-reporter.ts";

/** `npm test`: everything that needs only Node. Slow suites and real agent programs have configurations of their own. */
export default defineConfig({
  test: {
    reporters: ["default", new CorpusReporter()],
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["test/e2e/**", "**/*.slow.test.ts", "**/node_modules/**"],
    testTimeout: 20_000,
    // Many tests wait for real processes; one worker less than cores would leave half of a small machine idle.
    maxWorkers: "100%",
  },
});
