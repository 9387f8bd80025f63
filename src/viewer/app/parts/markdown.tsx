import type { ComponentChildren } from "preact";
import { type MarkdownBlock, markdownBlocks } from "./markdown-blocks.ts";

/** Text from strangers as Markdown: made of elements, never of HTML, and it loads nothing. */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <div class="markdown">
      {markdownBlocks(text).map((block, at) => (
        <BlockView key={at} block={block} />
      ))}
    </div>
  );
}

function BlockView({ block }: { readonly block: MarkdownBlock }) {
  switch (block.kind) {
    case "heading":
      return (
        <p class={`heading h${block.level}`} role="heading" aria-level={Math.min(6, block.level + 2)}>
          {inline(block.text)}
        </p>
      );
    case "paragraph":
      return <p>{inline(block.text)}</p>;
    case "quote":
      return <blockquote>{inline(block.text)}</blockquote>;
    case "code":
      return (
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case "list":
      return <ListView block={block} />;
    case "table":
      return (
        <table>
          <thead>
            <tr>
              {block.head.map((cell, at) => (
                <th key={at}>{inline(cell)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {block.rows.map((row, at) => (
              <tr key={at}>
                {row.map((cell, column) => (
                  <td key={column}>{inline(cell)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      );
    case "rule":
      return <hr />;
  }
}

function ListView({ block }: { readonly block: Extract<MarkdownBlock, { kind: "list" }> }) {
  const items = block.items.map((item, at) => (
    <li key={at} style={{ marginLeft: `${item.depth * 16}px` }}>
      {inline(item.text)}
    </li>
  ));
  return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
}

const INLINE = /(`+)(.+?)\1|\*\*(.+?)\*\*|__(.+?)__|\*([^\s*][^*]*?)\*|!?\[([^\]]*)\]\(([^()\s]+)[^()]*\)/s;

function inline(text: string): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let rest = text;
  for (let found = INLINE.exec(rest); found !== null; found = INLINE.exec(rest)) {
    parts.push(rest.slice(0, found.index), element(found, parts.length));
    rest = rest.slice(found.index + found[0].length);
  }
  parts.push(rest);
  return parts;
}

function element(found: RegExpExecArray, key: number): ComponentChildren {
  const [whole, , code, bold, bolder, slanted, label, target] = found;
  if (code !== undefined) return <code key={key}>{code}</code>;
  if (bold !== undefined || bolder !== undefined)
    return <strong key={key}>{inline(bold ?? bolder ?? "")}</strong>;
  if (slanted !== undefined) return <em key={key}>{inline(slanted)}</em>;
  if (whole.startsWith("!")) return <span key={key}>[{label ?? ""}]</span>;
  if (target === undefined || !/^https?:\/\//i.test(target)) return <span key={key}>{label ?? whole}</span>;
  return (
    <a key={key} href={target} rel="noopener noreferrer nofollow" target="_blank">
      {label}
    </a>
  );
}
