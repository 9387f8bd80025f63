import { Component, type ComponentChildren } from "preact";
import { TEXTS } from "../texts.ts";

interface BoundaryProps {
  /** What is shown in it, for the words in its place. */
  readonly of: string;
  readonly children: ComponentChildren;
}

/** A panel that cannot be drawn says so; the rest of the page stays. */
export class Boundary extends Component<BoundaryProps, { readonly problem: string | null }> {
  override state = { problem: null as string | null };

  static override getDerivedStateFromError(problem: unknown) {
    return { problem: problem instanceof Error ? problem.message : String(problem) };
  }

  override render({ of, children }: BoundaryProps) {
    if (this.state.problem === null) return children;
    return (
      <div class="broken" role="alert">
        <strong>{TEXTS.brokenPanel(of)}</strong>
        <p>{this.state.problem}</p>
        <button type="button" onClick={() => this.setState({ problem: null })}>
          {TEXTS.tryAgain}
        </button>
      </div>
    );
  }
}
