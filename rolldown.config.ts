import { defineConfig } from "rolldown";

/** The command and the library as one bundle: shared code in chunks, each command loaded when it is called. */
export default defineConfig({
  input: { cli: "src/cli/main.ts", index: "src/index.ts" },
  platform: "node",
  // jsonc-parser has an ES module build that only this field names.
  resolve: { mainFields: ["module", "main"] },
  transform: { target: "node20.19" },
  output: {
    dir: "dist",
    cleanDir: true,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    minify: "dce-only",
  },
});
