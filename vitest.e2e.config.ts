import { defineConfig } from "vitest/config";

/** `npm run test:e2e`: the real agent programs against the scripted model server. */
export default defineConfig({
  test: {
    include: ["test/e2e/**/*.test.ts"],
    globalSetup: ["test/e2e/support/install-clients.ts"],
    testTimeout: 120_000,
    hookTimeout: 600_000,
    /** Much of the time goes by in waiting for deadlines; more at once would make clients miss them. */
    maxWorkers: 2,
  },
});
