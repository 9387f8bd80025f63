import { useEffect, useRef } from "preact/hooks";
import type { Json } from "../../../../domain/json.ts";
import type { FileTextPage, RunFile, RunPage } from "../../../../domain/run-pages.ts";
import { ask } from "../../../api.ts";
import { bytes } from "../../format.ts";
import { CsvTable } from "../../parts/csv-table.tsx";
import { Boundary } from "../../parts/boundary.tsx";
import { Patch } from "../../parts/patch.tsx";
import { JsonTree } from "../../parts/json-tree.tsx";
import { Lines } from "../../parts/lines.tsx";
import { Markdown } from "../../parts/markdown.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { adjust, setting } from "../../router.ts";
import { addressOfBytes, useAnswer } from "../../source.ts";
import { TEXTS } from "../../texts.ts";

type View = keyof typeof TEXTS.files.views;

/** What the run made, changed and was given; each file in the form that fits it. */
export function Files({ page }: { readonly page: RunPage }) {
  const chosen = setting("file");
  const file =
    page.files.find((one) => one.path === chosen && one.area === (setting("area") || "outputs")) ??
    page.files.find((one) => one.path === chosen);
  const files = page.files.filter(({ area }) => area !== "before");
  return (
    <Panel title={TEXTS.files.title(files.length)} flush>
      {files.length === 0 && <p class="row quiet">{TEXTS.files.none}</p>}
      {files.map((one) => (
        <FileLine key={`${one.area}/${one.path}`} page={page} file={one} open={one === file} />
      ))}
    </Panel>
  );
}

function FileLine({
  page,
  file,
  open,
}: {
  readonly page: RunPage;
  readonly file: RunFile;
  readonly open: boolean;
}) {
  const bytesAt = file.kept ? addressOfBytes(ask.file(page.at, file)) : null;
  const choose = () =>
    adjust(
      open
        ? { file: null, area: null, view: null, line: null }
        : { file: file.path, area: file.area, view: null, line: null },
    );
  return (
    <>
      <div class="file">
        <button type="button" class="plain cut" aria-expanded={open} onClick={choose} title={file.path}>
          <span aria-hidden="true">{open ? "▾" : "▸"}</span>
          <span class="mono cut">{file.path}</span>
        </button>
        <span class="tag">{TEXTS.files.changes[file.change ?? "staged"]}</span>
        <span class="number small quiet">{bytes(file.bytes)}</span>
        {bytesAt !== null && (
          <a class="small" href={bytesAt} download={file.path.split("/").at(-1) ?? "file"}>
            {TEXTS.files.download}
          </a>
        )}
      </div>
      {open && (
        <Boundary of={file.path}>
          <FileView page={page} file={file} />
        </Boundary>
      )}
    </>
  );
}

function FileView({ page, file }: { readonly page: RunPage; readonly file: RunFile }) {
  const box = useRef<HTMLDivElement>(null);
  const views = viewsOf(file);
  const asked = setting("view") as View;
  const view = views.includes(asked)
    ? asked
    : setting("line") !== "" && views.includes("text")
      ? "text"
      : views[0];
  useEffect(() => box.current?.scrollIntoView({ block: "nearest" }), [file.path, view]);
  if (!file.kept) return <p class="row quiet">{TEXTS.files.notKept}</p>;
  return (
    <div ref={box}>
      {views.length > 1 && (
        <div class="tools row">
          {views.map((one) => (
            <button
              key={one}
              type="button"
              class="plain small"
              aria-pressed={one === view}
              onClick={() => adjust({ view: one })}
            >
              {TEXTS.files.views[one]}
            </button>
          ))}
        </div>
      )}
      <div class="shown" tabIndex={0}>
        {view === "diff" && <DiffView page={page} file={file} />}
        {view === "picture" && <Picture page={page} file={file} />}
        {view === "pages" && <Pages page={page} file={file} />}
        {(view === "text" || view === "shown") && (
          <TextView page={page} file={file} shown={view === "shown"} />
        )}
        {view === undefined && <p class="quiet">{TEXTS.files.onlyDownload}</p>}
      </div>
    </div>
  );
}

/** A file in the form that fits it, without a choice of others. */
export function Preview({ page, file }: { readonly page: RunPage; readonly file: RunFile }) {
  const [view] = viewsOf({ ...file, change: null });
  if (view === "picture") return <Picture page={page} file={file} />;
  if (view === "pages") return <Pages page={page} file={file} />;
  if (view === undefined) return <p class="quiet">{TEXTS.files.onlyDownload}</p>;
  return <TextView page={page} file={file} shown={view === "shown"} />;
}

/** The first is what a reader most likely wants. */
function viewsOf({ shows, change }: RunFile): readonly View[] {
  const diff: readonly View[] = change === "modified" || change === "deleted" ? ["diff"] : [];
  const late: readonly View[] = change === "created" ? ["diff"] : [];
  switch (shows) {
    case "image":
      return ["picture"];
    case "pdf":
      return ["pages", "text"];
    case "document":
      return ["text"];
    case "other":
      return [];
    case "markdown":
    case "json":
    case "table":
      return [...diff, "shown", "text", ...late];
    case "text":
    case "code":
    case "html":
      return [...diff, "text", ...late];
  }
}

function TextView({
  page,
  file,
  shown,
}: {
  readonly page: RunPage;
  readonly file: RunFile;
  readonly shown: boolean;
}) {
  const text = useAnswer(ask.fileText(page.at, file));
  return <Waiting of={text}>{(answer) => <FileText file={file} answer={answer} shown={shown} />}</Waiting>;
}

function FileText({
  file,
  answer,
  shown,
}: {
  readonly file: RunFile;
  readonly answer: FileTextPage;
  readonly shown: boolean;
}) {
  if (answer.text === null) return <p class="quiet">{answer.problem}</p>;
  if (shown && file.shows === "markdown") return <Markdown text={answer.text} />;
  if (shown && file.shows === "table") return <CsvTable text={answer.text} />;
  if (shown && file.shows === "json") {
    const value = parsed(answer.text);
    if (value !== undefined) return <JsonTree value={value} />;
  }
  const line = setting("line") === "" ? null : Number(setting("line"));
  return (
    <Lines
      text={answer.text}
      lit={line}
      quote={setting("quote")}
      code={file.shows === "code" || file.shows === "html"}
    />
  );
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function DiffView({ page, file }: { readonly page: RunPage; readonly file: RunFile }) {
  const diff = useAnswer(ask.fileDiff(page.at, file.path));
  return (
    <Waiting of={diff}>
      {(answer) =>
        answer.problem === null ? <Patch text={answer.patch} /> : <p class="quiet">{answer.problem}</p>
      }
    </Waiting>
  );
}

function Picture({ page, file }: { readonly page: RunPage; readonly file: RunFile }) {
  const from = addressOfBytes(ask.file(page.at, file));
  return from === null ? <p class="quiet">{TEXTS.files.notHere}</p> : <img src={from} alt={file.path} />;
}

function Pages({ page, file }: { readonly page: RunPage; readonly file: RunFile }) {
  const from = addressOfBytes(ask.file(page.at, file));
  if (from === null) return <p class="quiet">{TEXTS.files.notHere}</p>;
  // Chromium shows no PDF in a sandboxed frame. The server calls these bytes a PDF whatever they are, and lets them load nothing.
  return <iframe class="pages" src={from} title={file.path} />;
}
