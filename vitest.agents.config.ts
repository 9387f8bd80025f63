import { defineConfig } from "vitest/config";

/** `npm run test:agents`: everything about the further agent programs, some minutes for each; `test:e2e` has a run of each. */
export default defineConfig({
  test: {
    globalSetup: ["test/e2e/support/install-clients.ts"],
    include: ["test/agents/**/*.test.ts"],
    testTimeout: 180_000,
    hookTimeout: 600_000,
    /** Much of the time goes by in waiting for deadlines; more at once would make clients miss them. */
    maxWorkers: 2,
  },
});
