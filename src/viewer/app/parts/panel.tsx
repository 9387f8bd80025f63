import type { ComponentChildren } from "preact";
import { Boundary } from "./boundary.tsx";

interface PanelProps {
  readonly title: string;
  /** In small after the title. */
  readonly facts?: string;
  /** Beside the title. */
  readonly tools?: ComponentChildren;
  /** Its rows reach the border. */
  readonly flush?: boolean;
  readonly name?: string;
  readonly children: ComponentChildren;
}

/** A titled part of a page; when it breaks, the others stay. */
export function Panel({ title, facts, tools, flush = false, name = "", children }: PanelProps) {
  return (
    <section class={`panel ${flush ? "flush" : ""} ${name}`} aria-label={title}>
      <header>
        <h2>
          {title} {facts !== undefined && <span class="facts">{facts}</span>}
        </h2>
        {tools}
      </header>
      <div class="body">
        <Boundary of={title}>{children}</Boundary>
      </div>
    </section>
  );
}
