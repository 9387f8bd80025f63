/** The most that one trial may use of the machine. */
export interface TrialLimits {
  readonly memoryBytes: number;
  /** With their threads. */
  readonly processes: number;
  /** What it adds to its workspace, home and temporary folder; also the largest that a single file may become. */
  readonly diskBytes: number;
  /** What the agent program may print per turn. */
  readonly outputBytes: number;
  /** Per process. */
  readonly openFiles: number;
}

/** A limit that was passed, and what ended the trial. */
export interface Excess {
  readonly limit: Exclude<LimitName, "files">;
  readonly most: number;
}

/** Lifts a limit; a number, so that a plan stays data. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

const KILO = 1024;
const MEGA = 1024 * KILO;
const GIGA = 1024 * MEGA;

export const DEFAULT_LIMITS: TrialLimits = {
  memoryBytes: 4 * GIGA,
  processes: 2048,
  diskBytes: 10 * GIGA,
  outputBytes: 256 * MEGA,
  openFiles: 65_536,
};

/** How people name each limit. */
const NAMES = {
  memory: { field: "memoryBytes", isSize: true, of: "of memory" },
  processes: { field: "processes", isSize: false, of: "processes and threads" },
  disk: { field: "diskBytes", isSize: true, of: "of disk" },
  output: { field: "outputBytes", isSize: true, of: "of output in one turn" },
  files: { field: "openFiles", isSize: false, of: "open files" },
} as const satisfies Record<string, { field: keyof TrialLimits; isSize: boolean; of: string }>;

type LimitName = keyof typeof NAMES;

export const LIMITS_RULE =
  "It must be comma-separated limits, e.g. memory=8GB,processes=4000,disk=20GB,output=1GB,files=1024; none removes one.";

/** Reads `memory=8GB,disk=none`; what it does not name stays as in `otherwise`. Null: it cannot be read. */
export function readLimits(text: string, otherwise: TrialLimits = DEFAULT_LIMITS): TrialLimits | null {
  const said: Partial<Record<keyof TrialLimits, number>> = {};
  for (const part of text.split(",")) {
    const [, name = "", value = ""] = /^\s*(\w+)\s*=\s*(\S+)\s*$/.exec(part) ?? [];
    if (!Object.hasOwn(NAMES, name)) return null;
    const { field, isSize } = NAMES[name as LimitName];
    const most = amountOf(value, isSize);
    if (most === null) return null;
    said[field] = most;
  }
  return { ...otherwise, ...said };
}

/** The lower of both, each by itself. */
export function strictest(one: TrialLimits, other: TrialLimits): TrialLimits {
  const fields = Object.keys(one) as (keyof TrialLimits)[];
  return Object.fromEntries(fields.map((field) => [field, Math.min(one[field], other[field])])) as never;
}

export function limitsText(limits: TrialLimits): string {
  return (Object.keys(NAMES) as LimitName[])
    .map((name) => `${name}=${amountText(name, limits[NAMES[name].field])}`)
    .join(",");
}

/** As a sentence, with the way out. */
export function excessText({ limit, most }: Excess): string {
  const allowed = amountText(limit, most).replace(/(?<=\d)(?=[KMG]B)/, " ");
  return `it was stopped because it used more than ${allowed} ${NAMES[limit].of}; --limits ${raisedLimit({ limit, most })} allows more`;
}

/** Twice as much, as `--limits` takes it; null: there is no such limit. */
export function raisedLimit({ limit, most }: Excess): string | null {
  return Object.hasOwn(NAMES, limit) ? `${limit}=${amountText(limit, most * 2)}` : null;
}

function amountOf(value: string, isSize: boolean): number | null {
  if (value === "none") return NO_LIMIT;
  const [, digits, unit = ""] = /^(\d+(?:\.\d+)?)([kmg]?)b?$/i.exec(value) ?? [];
  if (digits === undefined || (unit !== "" && !isSize)) return null;
  const most = Math.floor(Number(digits) * (UNITS.get(unit.toLowerCase()) ?? 1));
  return most > 0 ? most : null;
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ["k", KILO],
  ["m", MEGA],
  ["g", GIGA],
]);

function amountText(name: LimitName, most: number): string {
  if (most >= NO_LIMIT) return "none";
  if (!NAMES[name].isSize) return String(most);
  const [unit, size] = [["GB", GIGA] as const, ["MB", MEGA] as const, ["KB", KILO] as const].find(
    ([, size]) => most % size === 0,
  ) ?? ["", 1];
  return `${most / size}${unit}`;
}
