import { placesOf } from "./places.ts";

/** A text in which what is looked for is marked. */
export function Quoted({ text, quote }: { readonly text: string; readonly quote: string }) {
  const places = placesOf(text, quote);
  if (places.length === 0) return <>{text}</>;
  let at = 0;
  const parts = places.flatMap(([start, end]) => {
    const before = text.slice(at, start);
    at = end;
    return [before, <mark key={start}>{text.slice(start, end)}</mark>];
  });
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}
