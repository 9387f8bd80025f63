import { type ProgramName, PROGRAMS } from "../../domain/grading-provider.ts";
import { PROVIDER_NAMES } from "../../providers/connect.ts";
import type { GradingReach } from "../../providers/grading-choice.ts";
import type { Logins } from "../logins/access.ts";
import type { Programs } from "./cli-judge.ts";

/** Who can judge from here. A login is on file, or may be in the keychain of a Mac, where only the client can look. */
export function reachOf(
  programs: Programs,
  { providers, access }: Pick<Logins, "access"> & { readonly providers: readonly string[] },
  platform: NodeJS.Platform = process.platform,
): GradingReach {
  const installed = PROGRAMS.filter(({ program }) => programs[program] !== null);
  const byLogin = PROGRAMS.filter(({ program }) => access[program].kind === "login");
  const mayBeLoggedIn = (program: ProgramName) =>
    access[program].kind === "login" || (platform === "darwin" && access[program].kind === "none");
  return {
    api: PROVIDER_NAMES.filter(
      (name) => providers.includes(name) && byLogin.every(({ provider }) => provider !== name),
    ),
    login: installed.filter(({ program }) => mayBeLoggedIn(program)).map(({ provider }) => provider),
    installed: installed.map(({ provider }) => provider),
  };
}
