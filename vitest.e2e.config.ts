import { defineConfig } from "vitest/config";

/** `npm run test:e2e`: the real agent programs against the scripted model server. */
export default defineConfig({
  test: {
    include: ["test/e2e/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
