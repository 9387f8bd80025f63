/** A place where machines keep what nobody but their user should have. */
interface SensitivePlace {
  /** As people write it, for messages. */
  readonly name: string;
  /** Whoever has what is there has the account, not a setting. */
  readonly isSecret: boolean;
  /** Source of a regular expression that finds mentions of it in commands, programs and prose. */
  readonly pattern: string;
}

const place = (name: string, pattern: string, isSecret = true): SensitivePlace => ({
  name,
  isSecret,
  pattern,
});

/** What ends a path in a shell, a program or a sentence. */
const END = String.raw`(?![\w-])`;

const PLACES: readonly SensitivePlace[] = [
  place("~/.ssh", String.raw`\.ssh/(?:id_\w+|identity|authorized_keys|\*)${END}|\.ssh/?(?=["'\s;)\]]|$)`),
  place("~/.aws/credentials", String.raw`\.aws/credentials${END}`),
  place("~/.aws/sso/cache", String.raw`\.aws/sso/cache${END}`),
  place(
    "~/.config/gcloud",
    String.raw`gcloud/(?:application_default_credentials|credentials\.db|access_tokens)`,
  ),
  place("~/.azure", String.raw`\.azure/(?:accessTokens|msal_token_cache|azureProfile)`),
  place("~/.kube/config", String.raw`\.kube/config${END}`, false),
  place("~/.docker/config.json", String.raw`\.docker/config\.json`, false),
  place("the Docker socket", String.raw`/(?:var/)?run/docker\.sock${END}`, false),
  place(
    "~/.netrc",
    String.raw`(?:~|HOME\}?|home\(\)|expanduser\([^)\n]{0,20}|/root|/home/\w+)[/"',\s]{1,4}\.netrc${END}`,
    false,
  ),
  place("~/.git-credentials", String.raw`\.git-credentials${END}`),
  place("~/.npmrc", String.raw`(?:~|HOME\}?|/root|/home/\w+)/\.npmrc${END}`, false),
  place("~/.pypirc", String.raw`(?:~|HOME\}?|/root|/home/\w+)/\.pypirc${END}`, false),
  place("~/.gnupg", String.raw`\.gnupg/(?:private-keys|secring|\*)|(?:~|HOME\}?)/\.gnupg/?(?=["'\s;)]|$)`),
  place("~/.config/gh/hosts.yml", String.raw`gh/hosts\.yml${END}`),
  place("~/.claude/.credentials.json", String.raw`\.claude/\.credentials\.json`),
  place("~/.codex/auth.json", String.raw`\.codex/auth\.json`),
  place("~/.gemini/oauth_creds.json", String.raw`\.gemini/oauth_creds\.json`),
  place("/etc/shadow", String.raw`/etc/g?shadow${END}`),
  place("/etc/sudoers", String.raw`/etc/sudoers`, false),
  place(
    "the keychain",
    String.raw`Library/Keychains|security\s+(?:dump-keychain|find-(?:generic|internet)-password)`,
  ),
  place(
    "a browser's profile",
    String.raw`/(?:Login Data|Web Data|cookies\.sqlite|logins\.json|key4\.db)${END}|(?:google-chrome|chromium|BraveSoftware|\.mozilla/firefox)/[^\n"']{0,60}(?:Cookies|Default|Local State|\*)`,
  ),
  place(
    "a wallet",
    String.raw`wallet\.dat${END}|\.(?:bitcoin|ethereum|electrum)/[^\n"']{0,40}(?:wallet|keystore)`,
  ),
  place("a shell's history", String.raw`\.(?:bash|zsh|python|psql|mysql)_history${END}`, false),
  place(
    "the environment of another process",
    String.raw`/proc/(?!self\b)(?:\d+|\*|\$\{?\w+\}?|\$\$|ppid)/(?:environ|mem|cmdline)${END}`,
  ),
  place(
    "the cloud's metadata service",
    String.raw`169\.254\.169\.254|metadata\.google\.internal|fd00:ec2::254`,
  ),
];

const ANY = new RegExp(PLACES.map(({ pattern }) => `(${pattern})`).join("|"), "gm");

export interface PlaceMention {
  readonly place: SensitivePlace;
  readonly offset: number;
  readonly text: string;
}

/** Every mention of a sensitive place, in order. */
export function sensitivePlacesIn(text: string): readonly PlaceMention[] {
  const mentions: PlaceMention[] = [];
  for (const match of text.matchAll(ANY)) {
    const at = match.slice(1).findIndex((group) => group !== undefined);
    const found = PLACES[at];
    if (found !== undefined) mentions.push({ place: found, offset: match.index, text: match[0] });
  }
  return mentions;
}
