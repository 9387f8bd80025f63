/** Unknown is a dash, never a zero. */
const NOTHING = "–";

export function percent(share: number | null | undefined): string {
  return share === null || share === undefined ? NOTHING : `${Math.round(share * 100)} %`;
}

/** A difference of shares, in points with its sign. */
export function points(share: number | null | undefined): string {
  if (share === null || share === undefined) return NOTHING;
  const whole = Math.round(share * 100);
  return whole > 0 ? `+${whole}` : whole < 0 ? `−${-whole}` : "0";
}

export function money(usd: number | null | undefined): string {
  if (usd === null || usd === undefined) return NOTHING;
  if (usd === 0) return "$0";
  return usd < 0.01 ? `$${usd.toPrecision(1)}` : `$${usd.toFixed(2)}`;
}

export function count(amount: number | null | undefined): string {
  if (amount === null || amount === undefined) return NOTHING;
  if (amount < 10_000) return Math.round(amount).toLocaleString("en-US");
  if (amount < 1_000_000) return `${(amount / 1000).toFixed(amount < 100_000 ? 1 : 0)}k`;
  return `${(amount / 1_000_000).toFixed(1)}M`;
}

export function seconds(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return NOTHING;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

export function bytes(size: number | null | undefined): string {
  if (size === null || size === undefined) return NOTHING;
  if (size < 1000) return `${size} B`;
  if (size < 1_000_000) return `${(size / 1000).toFixed(1)} KB`;
  return size < 1_000_000_000
    ? `${(size / 1_000_000).toFixed(1)} MB`
    : `${(size / 1_000_000_000).toFixed(2)} GB`;
}

/** A day and a minute, as the journal has them: the same on every machine. */
export function moment(iso: string | null | undefined): string {
  const found = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(iso ?? "");
  return found === null ? NOTHING : `${found[1]} ${found[2]}`;
}

export function plural(amount: number, one: string, many = `${one}s`): string {
  return `${count(amount)} ${amount === 1 ? one : many}`;
}
