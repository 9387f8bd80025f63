import { defineConfig } from "vitest/config";
import { CorpusReporter } from "./test/support/corpus-reporter.ts";

const LIBRARY = "test/library/**/*.test.ts";

/** `npm test`: everything that needs only Node. Slow suites and real agent programs have configurations of their own. */
export default defineConfig({
  test: {
    reporters: ["default", new CorpusReporter()],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Many tests wait for real processes; one worker less than cores would leave half of a small machine idle.
    maxWorkers: "100%",
    projects: [
      {
        extends: true,
        test: {
          name: "assay",
          globalSetup: "test/support/own-temp-folder.ts",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [
            "test/e2e/**",
            "test/agents/**",
            "test/viewer/browser/**",
            "**/*.slow.test.ts",
            "**/node_modules/**",
            LIBRARY,
          ],
        },
      },
      // These use the package as strangers do; it is built once for all of them.
      {
        extends: true,
        test: {
          name: "library",
          include: [LIBRARY],
          globalSetup: ["test/support/own-temp-folder.ts", "test/support/built-package.ts"],
        },
      },
    ],
  },
});
