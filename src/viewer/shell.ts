/** The page that the app runs in. `data`: the JSON that the static form holds; absent: it asks the server. */
export function shellPage({
  nonce,
  script,
  style,
  data,
}: {
  readonly nonce: string;
  /** An address or, in the static form, the text itself. */
  readonly script: { readonly src: string } | { readonly text: string };
  readonly style: { readonly src: string } | { readonly text: string };
  readonly data?: string;
}): string {
  const sheet =
    "src" in style
      ? `<link rel="stylesheet" href="${style.src}">`
      : `<style nonce="${nonce}">${style.text.replaceAll("</", String.raw`<\/`)}</style>`;
  const program =
    "src" in script
      ? `<script nonce="${nonce}" src="${script.src}" defer></script>`
      : `<script nonce="${nonce}">${script.text.replaceAll(/<\/(?=script)/gi, String.raw`<\/`)}</script>`;
  const held =
    data === undefined ? "" : `\n<script type="application/json" id="assay-data">${inScript(data)}</script>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Assay</title>
<link rel="icon" href="data:,">
${sheet}
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript. Add <code>format=md</code> to its address for plain text.</noscript>${held}
${program}
</body>
</html>
`;
}

/** JSON that nothing in it can end the script with. */
function inScript(json: string): string {
  return json
    .replaceAll("<", String.raw`\u003c`)
    .replaceAll("\u2028", String.raw`\u2028`)
    .replaceAll("\u2029", String.raw`\u2029`);
}

/** What the page may load and do; framing is refused by a header, which a file cannot have. */
export function contentPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}
