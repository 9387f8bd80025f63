import { defineConfig } from "vitest/config";

/** `npm run test:viewer`: the viewer in the system's Chromium; without one, its tests skip themselves. */
export default defineConfig({
  test: {
    include: ["test/viewer/browser/**/*.test.ts"],
    globalSetup: "test/support/own-temp-folder.ts",
    testTimeout: 180_000,
    hookTimeout: 240_000,
    /** A browser takes more than one core already. */
    fileParallelism: false,
  },
});
