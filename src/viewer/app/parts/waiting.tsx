import type { ComponentChildren } from "preact";
import type { Answered } from "../source.ts";
import { TEXTS } from "../texts.ts";

/** Shows what was asked for, or why it cannot be shown. */
export function Waiting<T>({
  of,
  children,
}: {
  readonly of: Answered<T>;
  readonly children: (answer: T) => ComponentChildren;
}) {
  if (of.state === "loading")
    return (
      <p class="empty" role="status">
        {TEXTS.loading}
      </p>
    );
  if (of.state === "failed")
    return (
      <div class="broken" role="alert">
        <strong>{of.message}</strong>
        {of.hint !== null && <p>{of.hint}</p>}
      </div>
    );
  return <>{children(of.answer)}</>;
}
