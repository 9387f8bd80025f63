import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { StaticData } from "../../../src/viewer/api.ts";

/** What a page of the app is made of. */
export interface BuiltApp {
  readonly script: string;
  readonly style: string;
}

/** The app and its answers in one file. */
export function staticPage({ script, style }: BuiltApp, data: StaticData): string {
  const json = JSON.stringify(data).replaceAll("<", String.raw`\u003c`);
  return page(`<style>${style}</style>`, [
    `<script type="application/json" id="assay-data">${json}</script>`,
    `<script>${script}</script>`,
  ]);
}

function page(style: string, scripts: readonly string[]): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1"><title>Assay</title>',
    '<link rel="icon" href="data:,">',
    style,
    '</head><body><div id="app"></div>',
    ...scripts,
    "</body></html>",
  ].join("\n");
}

/** The app over answers that are asked for, with the strictest rules a page can have. */
export async function served(
  { script, style }: BuiltApp,
  data: StaticData,
): Promise<AsyncDisposable & { readonly url: string }> {
  // Browsers spell some signs of an address in their own way.
  const answers = new Map(
    Object.entries(data.answers).map(([of, answer]) => [decodeURIComponent(of), answer]),
  );
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    const api = /^\/api\/(.*)$/s.exec(decodeURIComponent(path))?.[1];
    if (path === "/app.js") response.setHeader("content-type", "text/javascript").end(script);
    else if (path === "/app.css") response.setHeader("content-type", "text/css").end(style);
    else if (api?.startsWith("live?") && answers.has(api))
      response
        .setHeader("content-type", "text/event-stream")
        .write(`data: ${JSON.stringify(answers.get(api))}\n\n`);
    else if (api !== undefined && answers.has(api))
      response.setHeader("content-type", "application/json").end(JSON.stringify(answers.get(api)));
    else if (api !== undefined)
      response
        .writeHead(404)
        .end(JSON.stringify({ error: { code: "view/none", message: "No such page.", hint: null } }));
    else
      response
        .setHeader("content-type", "text/html")
        .setHeader(
          "content-security-policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:",
        )
        .end(page('<link rel="stylesheet" href="/app.css">', ['<script src="/app.js"></script>']));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
