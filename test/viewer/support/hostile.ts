import type { Page } from "playwright-core";

/** Each would show a dialog or ask a stranger if anything of it were taken for more than text. */
export const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  "script tags": "<script>alert(1)</script><script src=http://stranger.example/x.js></script>",
  "the end of a script": "</script><script>alert(1)</script><!--",
  handlers: "<img src=x onerror=alert(1)><body onload=alert(1)><input autofocus onfocus=alert(1)>",
  attributes: '" onmouseover="alert(1)" autofocus onfocus="alert(1)" x="\' onclick=\'alert(1)',
  links:
    "[click](javascript:alert(1)) <a href=javascript:alert(1)>x</a> [data](data:text/html,<script>alert(1)</script>)",
  pictures: "![x](http://stranger.example/pixel.png) <img src=http://stranger.example/pixel.png>",
  drawings: '<svg onload=alert(1)><script>alert(1)</script><use href="http://stranger.example/#x"/></svg>',
  frames: '<iframe src="javascript:alert(1)"></iframe><object data="http://stranger.example/"></object>',
  styles:
    "<style>@import 'http://stranger.example/x.css';*{background:url(http://stranger.example/y)}</style>",
  "Markdown around it":
    "# <img src=x onerror=alert(1)>\n\n- **<script>alert(1)</script>**\n\n> <svg/onload=alert(1)>\n\n|<b onclick=alert(1)>|\n|-|\n|`</code><script>alert(1)</script>`|",
  templates: "{{constructor.constructor('alert(1)')()}} ${alert(1)} <%= alert(1) %>",
  "names of objects": "__proto__",
  "signs that hide": "\u202Egnp.exe\u202C \u0000\u001B]8;;http://stranger.example\u0007x \uD800",
};

export const HOSTILE_TEXT = Object.values(HOSTILE_TEXTS).join("\n\n");

/** Waits for the page, then opens, points at and steps over what there is. */
export async function touchEverything(page: Page): Promise<void> {
  await page.locator("main h1").first().waitFor();
  for (const file of await page.locator(".file button").all()) await file.click();
  for (const edit of await page.getByRole("button", { name: "Edit" }).all()) await edit.click();
  for (let at = 0; at < Math.min(4, await page.locator(".step-line").count()); at++) {
    // Folded again at once: long ones would push the next out of sight, where nothing is drawn.
    await page.locator(".step-line").nth(at).click();
    await page.locator(".step-line").nth(at).click();
  }
  await page.mouse.move(400, 300);
  await page.mouse.move(900, 420);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
}
