const RUN = 4096;
const PEM_BODY = 16_384;
export const MAX_TOKEN_LENGTH = PEM_BODY + 256;

/** How far a shape looks at what precedes it. */
export const TOKEN_CONTEXT_LENGTH = 16;

/** No word is going on: its last character is none of a word's, or ends an escape such as `\n`, `%3D` or a colour. */
const OUTSIDE_WORD = "(?:^|[^A-Za-z0-9_]|\\\\(?:[nrtbf]|u[0-9a-fA-F]{4})|%[0-9a-fA-F]{2}|\\[[0-9;]{0,11}m)";

const BEARER = "[Bb](?:earer|EARER)";
const BASIC = "[Bb](?:asic|ASIC)";
const AUTHORIZATION = "[Aa](?:uthorization|UTHORIZATION)";
const AWS_SECRET = "(?:aws_?secret_?access_?key|AWS_SECRET_ACCESS_KEY|(?:aws)?[sS]ecretAccessKey)";
const ASSIGNED = `\\\\{0,3}["']?\\s{0,4}[:=]\\s{0,4}\\\\{0,3}["']?`;
const PEM_KIND = "[A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?";

/**
 * Tokens that can be told by their shape alone. Each begins where no word is going on, so that `task-force` or
 * `npm_config_registry` stay; each is bounded, so that a stream can be searched with bounded memory. A named group is
 * what precedes the secret and is kept.
 */
export const TOKEN_SHAPES: readonly string[] = [
  // Model services: sk-ant-..., sk-proj-..., and the plain sk- of many.
  `${opening("sk-")}(?:(?:ant|proj|svcacct|admin|or|lf)-[A-Za-z0-9_-]{16,${RUN}}|[A-Za-z0-9]{20,${RUN}})`,
  `${opening("AIza")}[A-Za-z0-9_-]{35}`,
  // Code hosts and registries.
  `${opening("gh[pousr]_")}[A-Za-z0-9]{20,${RUN}}`,
  `${opening("github_pat_")}[A-Za-z0-9_]{20,${RUN}}`,
  `${opening("glpat-")}[A-Za-z0-9_.-]{20,${RUN}}`,
  `${opening("npm_")}[A-Za-z0-9]{36}`,
  // Clouds and chat.
  `${opening("A(?:KIA|SIA)")}[A-Z0-9]{16}(?![A-Za-z0-9])`,
  `(?<aws>${AWS_SECRET}${ASSIGNED})[A-Za-z0-9/+]{40}`,
  `${opening("xox[abeoprs]-")}[A-Za-z0-9-]{10,${RUN}}`,
  // Headers. A word after "Bearer" is prose; a token has digits in it.
  `(?<bearer>${opening(BEARER)}\\s{1,4})(?=[A-Za-z._~+/=-]{0,200}[0-9])[A-Za-z0-9._~+/=-]{16,${RUN}}`,
  `(?<basic>${opening(AUTHORIZATION)}${ASSIGNED}${BASIC}\\s{1,4})[A-Za-z0-9+/=_-]{8,${RUN}}`,
  // JSON web tokens: two parts are JSON, the third is the signature.
  `${opening("eyJ")}[A-Za-z0-9_-]{8,${RUN}}\\.eyJ[A-Za-z0-9_-]{8,${RUN}}\\.[A-Za-z0-9_-]{8,${RUN}}`,
  // Private keys, with real or escaped line ends; one without its end, as far as lines of base64 go.
  `-----BEGIN ${PEM_KIND}-----(?:(?:(?!-----BEGIN)[A-Za-z0-9+/=:,.\\s\\\\-]){0,${PEM_BODY}}?-----END ${PEM_KIND}-----` +
    `|(?:(?:\\s|\\\\[rn]){0,4}[A-Za-z0-9+/=]{20,80}){0,190}(?:(?:\\n|\\\\n)[A-Za-z0-9+/=]{1,80})?)`,
];

/** Looks back only after the prefix was found; looking back first would be tried at every character of a text. */
function opening(prefix: string): string {
  return `${prefix}(?<=${OUTSIDE_WORD}${prefix})`;
}
