import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { zip } from "../../../src/lib/zip.ts";
import { builtCommand } from "../../support/built-command.ts";
import { assay } from "../../support/command-line.ts";
import { greeters, HELPS } from "../../support/greeters.ts";
import { makePdf } from "../../support/make-pdf.ts";
import type { TempTree } from "../../support/temp-tree.ts";
import { until } from "../../support/turnstile.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { enter, realViewer } from "../support/real-viewer.ts";
import { NO_MISDEEDS, watchedPage } from "../support/watched-page.ts";

const RUN_PAGE = "run?skill=greeter&n=1&trial=1%2Fwith_skill%2Frun-1";

const archive = (files: Readonly<Record<string, string>>) =>
  zip(Object.entries(files).map(([name, text]) => ({ name, content: Buffer.from(text), executable: false })));
const rels = (target: string) =>
  `<Relationships><Relationship Id="rId1" Type="x/slide" Target="${target}"/></Relationships>`;

/** A red dot. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==",
  "base64",
);

const MADE: Readonly<Record<string, Buffer | string>> = {
  "out/deep/down/page.html": "<!doctype html><title>x</title><script>alert(1)</script>",
  "out/data.json": '{"rows": [{"name": "Ada", "missing": 2}]}',
  "out/table.csv": 'name,missing\n"Lovelace, Ada",2\n',
  "code.py": "import csv\nprint('hello')  # a comment\n",
  "picture.png": PNG,
  "drawing.svg":
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>',
  "report.pdf": makePdf({ content: "BT /F1 12 Tf 20 20 Td (Six rows in all) Tj ET" }),
  "letter.docx": archive({
    "word/document.xml":
      "<w:document><w:body><w:p><w:r><w:t>Dear Ada</w:t></w:r></w:p></w:body></w:document>",
  }),
  "book.xlsx": archive({
    "xl/workbook.xml": '<workbook xmlns:r="r"><sheets><sheet name="Orders" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": rels("sheet1.xml"),
    "xl/sheet1.xml": '<worksheet><sheetData><row r="1"><c r="A1"><v>42</v></c></row></sheetData></worksheet>',
  }),
  "talk.pptx": archive({
    "ppt/presentation.xml":
      '<p:presentation xmlns:r="r"><p:sldIdLst><p:sldId r:id="rId1"/></p:sldIdLst></p:presentation>',
    "ppt/_rels/presentation.xml.rels": rels("slides/slide1.xml"),
    "ppt/slides/slide1.xml":
      "<p:sld><p:txBody><a:p><a:r><a:t>First slide</a:t></a:r></a:p></p:txBody></p:sld>",
  }),
  "blob.bin": Buffer.from([0, 1, 2, 3, 255]),
};

describe.skipIf(!hasChromium)("the files of a run", () => {
  let browser: Browser;
  let built: Awaited<ReturnType<typeof builtCommand>>;
  let project: TempTree;
  beforeAll(async () => {
    [browser, built, project] = await Promise.all([openChromium(), builtCommand(), greeters(1, HELPS)]);
    for (const [path, content] of Object.entries(MADE)) {
      await mkdir(dirname(project.path(join("made", path))), { recursive: true });
      await writeFile(project.path(join("made", path)), content);
    }
    await writeFile(project.path("agent.sh"), `#!/bin/sh\ncp -R '${project.path("made")}/.' .\necho Hello\n`);
    await chmod(project.path("agent.sh"), 0o755);
    const command = "run skills/greeter --harness command --command ./agent.sh --sandbox none";
    await assay(command.split(" "), { cwd: project.root });
  });
  afterAll(async () => {
    await browser?.close();
    await project?.[Symbol.asyncDispose]();
    await built?.[Symbol.asyncDispose]();
  });

  const shown: readonly (readonly [file: string, selector: string, words: string])[] = [
    ["out/deep/down/page.html", ".lines", "<script>alert(1)</script>"],
    ["out/data.json", ".json-line", "Ada"],
    ["out/table.csv", "td", "Lovelace, Ada"],
    ["code.py", ".token-word", "import"],
    ["letter.docx", ".lines", "Dear Ada"],
    ["book.xlsx", ".lines", "A1: 42"],
    ["talk.pptx", ".lines", "First slide"],
  ];

  it("are each shown in the form that fits them, however deep they lie", async () => {
    await using viewer = await realViewer(built.path, project.root);
    await using watched = await watchedPage(browser);
    const page = await enter(watched.page.context(), viewer.link, RUN_PAGE);
    await page.getByRole("heading", { name: `Files (${Object.keys(MADE).length})` }).waitFor();
    for (const [file, selector, words] of shown) {
      await choose(page, file);
      await page.locator(`.shown ${selector}`, { hasText: words }).first().waitFor();
    }
    for (const picture of ["picture.png", "drawing.svg"]) {
      await choose(page, picture);
      const isDrawn = `[...document.images].some(({ alt, naturalWidth }) => alt === "${picture}" && naturalWidth > 0)`;
      await until(async () => (await page.evaluate(isDrawn)) === true);
    }
    await choose(page, "report.pdf");
    // In a sandboxed frame Chromium shows no PDF.
    await page.locator('iframe[title="report.pdf"]:not([sandbox])').waitFor();
    await page.getByRole("button", { name: "text", exact: true }).click();
    await page.locator(".shown .lines", { hasText: "Six rows in all" }).waitFor();
    await choose(page, "blob.bin");
    await page.getByText("It cannot be shown here; download it.").waitFor();
    expect(watched.misdeeds).toEqual(NO_MISDEEDS);
  });

  it("can all be downloaded, byte for byte", async () => {
    await using viewer = await realViewer(built.path, project.root);
    await using watched = await watchedPage(browser);
    const page = await enter(watched.page.context(), viewer.link, RUN_PAGE);
    for (const [file, content] of Object.entries(MADE)) {
      const link = page.locator(".file", { has: page.locator(`button[title="${file}"]`) }).getByRole("link");
      const answer = await page
        .context()
        .request.get(new URL((await link.getAttribute("href")) ?? "", page.url()).href);
      expect(answer.headers()["x-content-type-options"]).toBe("nosniff");
      expect(Buffer.compare(await answer.body(), Buffer.from(content))).toBe(0);
    }
  });
});

async function choose(page: Page, file: string): Promise<void> {
  await page.locator(`.file button[title="${file}"]`).click();
}
