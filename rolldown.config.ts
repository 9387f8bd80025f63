import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { defineConfig, type Plugin, type RolldownOptions } from "rolldown";
import manifest from "./package.json" with { type: "json" };

const COMMON: RolldownOptions = {
  platform: "node",
  resolve: {
    // jsonc-parser has an ES module build that only this field names.
    mainFields: ["module", "main"],
    // For Node, yaml names its CommonJS build, of which nothing can be left out.
    alias: {
      yaml: createRequire(import.meta.url)
        .resolve("yaml")
        .replace(/dist\/index\.js$/, "browser/index.js"),
    },
  },
  transform: { target: "node20.19" },
};

/** Commander loads it for subcommands that are programs of their own, which Assay has none of; it takes 3 ms. */
const withoutChildProcess: Plugin = {
  name: "commander-without-child-process",
  resolveId(source, importer) {
    return source === "node:child_process" && importer?.includes("/commander/") ? "\0no-child-process" : null;
  },
  load(id) {
    return id === "\0no-child-process" ? "export {};" : null;
  },
};

/**
 * The command, as CommonJS, which Node starts sooner. `--version` and `--help` need only cli.cjs; what `check` needs is one
 * chunk, because each further file takes Node longer to find than to run; every other command is loaded when it is called.
 */
const command: RolldownOptions = {
  ...COMMON,
  input: { cli: "src/cli/main.ts" },
  preserveEntrySignatures: "allow-extension",
  plugins: [withoutChildProcess],
  output: {
    dir: "dist",
    cleanDir: true,
    format: "cjs",
    exports: "named",
    entryFileNames: "[name].cjs",
    chunkFileNames: "chunks/[name]-[hash].cjs",
    // Names stay, for the stack in a bug report.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    codeSplitting: {
      groups: [
        { name: "cli", tags: ["$initial"], priority: 2 },
        {
          name: "read",
          priority: 1,
          test: /src\/(?:cli\/(?:parse|commands\/check)|load\/(?:assay-key|read-context|losses|plain-case))\.ts$/,
        },
      ],
    },
  },
};

/** By the name of its file in dist; package.json says where the types of each lie, and so where its source does. */
const PUBLIC_MODULES = Object.fromEntries(
  Object.values(manifest.exports).flatMap((one) =>
    typeof one === "string"
      ? []
      : [
          [
            one.default.replace("./dist/", "").replace(".js", ""),
            one.types.replace("./dist/types/", "src/").replace(".d.ts", ".ts"),
          ],
        ],
  ),
);

/** The library; apart from the command, so that neither is cut into pieces for the other's sake. */
const library: RolldownOptions = {
  ...COMMON,
  input: PUBLIC_MODULES,
  external: ["vitest"],
  output: {
    dir: "dist",
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "library/[name]-[hash].js",
    minify: "dce-only",
  },
};

/** What both start in a thread of its own to read a PDF; each looks for it in the folder above its chunks. */
const pdfThread: RolldownOptions = {
  ...COMMON,
  input: { "pdf-thread": "src/lib/office-text/pdf-thread.js" },
  output: {
    dir: "dist",
    format: "esm",
    entryFileNames: "[name].js",
    codeSplitting: false,
    minify: true,
    postBanner:
      "/*! Contains pdf.js (Mozilla Foundation, Apache-2.0, https://www.apache.org/licenses/LICENSE-2.0) as packed by unpdf (Johann Schopplich, MIT). */",
  },
};

/** The web app of `assay view` and `assay report`: one script and one style sheet, for browsers. */
const viewer: RolldownOptions = {
  input: { app: "src/viewer/app/main.tsx" },
  platform: "browser",
  plugins: [styleSheet()],
  transform: {
    target: "es2022",
    define: { "process.env.NODE_ENV": '"production"' },
  },
  output: {
    dir: "dist",
    // Runs as a plain script too, so that a page opened from a file can hold it.
    format: "iife",
    entryFileNames: "viewer/[name].js",
    minify: true,
    codeSplitting: false,
    postBanner: "/*! Contains Preact and its signals (Jason Miller and others, MIT). */",
  },
};

function styleSheet(): Plugin {
  return {
    name: "style-sheet",
    generateBundle() {
      const source = readFileSync(new URL("src/viewer/app/app.css", import.meta.url), "utf8");
      const fileName = "viewer/app.css";
      this.emitFile({ type: "asset", fileName, source: source.replaceAll(/\s*\n\s*/g, "\n") });
    },
  };
}

export default defineConfig([command, library, pdfThread, viewer]);
