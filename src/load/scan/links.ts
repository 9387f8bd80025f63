import { existsSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { sensitivePlacesIn } from "../../lib/sensitive-places.ts";
import { staysIn } from "../../lib/stays-in.ts";
import type { ScanHit } from "./hit.ts";

/** Where a link in a skill leads, if that is out of it; null: it stays inside, or cannot be read. What is there is not looked at. */
export function linkHit(link: string, root: string): ScanHit | null {
  const target = targetOf(link);
  if (target === null || (!isAbsolute(target) && isInside(link, target, root))) return null;
  const [place] = sensitivePlacesIn(`${target} `);
  const shown = JSON.stringify(target.slice(0, 200));
  if (place !== undefined || SECRETS.test(target))
    return hit("security/link-to-secrets", `this link leads to ${place?.place.name ?? shown}`);
  return isAbsolute(target)
    ? hit("security/link-to-secrets", `this link leads to ${shown}, wherever the skill is`)
    : hit(
        "security/link-outside",
        `this link leads out of the skill, to ${shown} from ${shownFolder(link, root)}`,
      );
}

/** Folders and files of a home or a project that hold keys. */
const SECRETS =
  /(?:^|\/)\.(?:ssh|aws|gnupg|kube|azure|docker|env(?:\.\w+)?|netrc|npmrc|pypirc|git-credentials|git)(?:\/|$)/;

/** By its words, and by where it really ends if there is something. */
function isInside(link: string, target: string, root: string): boolean {
  const way = relative(root, resolve(dirname(link), target));
  return way !== ".." && !way.startsWith(`..${sep}`) && (staysIn(root, link) || !existsSync(link));
}

function targetOf(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}

function shownFolder(link: string, root: string): string {
  return JSON.stringify(relative(root, dirname(link)) || ".");
}

function hit(code: ScanHit["code"], message: string): ScanHit {
  return { code, offset: 0, message };
}
