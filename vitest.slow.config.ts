import { defineConfig } from "vitest/config";

/** `npm run test:slow`: real processes, namespaces, crashes and large inputs; a few minutes. */
export default defineConfig({
  test: {
    include: ["src/**/*.slow.test.ts", "test/**/*.slow.test.ts"],
    exclude: ["test/e2e/**", "**/node_modules/**"],
    globalSetup: "test/support/own-temp-folder.ts",
    testTimeout: 120_000,
    fileParallelism: false,
  },
});
