import { UserError } from "../domain/user-error.ts";
import type { AgentClient } from "./harnesses/index.ts";

type Candidate = Pick<AgentClient, "name" | "program" | "programVariable" | "install">;

/**
 * `auto`: the first of the clients that is installed and has a key or login, else the first that is installed. Throws a
 * UserError that says how to install one.
 */
export function bestInstalled<C extends Candidate>(
  clients: readonly C[],
  isInstalled: (client: C) => boolean,
  hasAccess: (client: C) => boolean = () => true,
): C {
  const installed = clients.filter(isInstalled);
  const found = installed.find(hasAccess) ?? installed[0];
  if (found !== undefined) return found;
  const programs = clients.map(({ program }) => program).join(" nor ");
  const variables = clients.map(({ programVariable }) => programVariable).join(" nor ");
  throw new UserError(
    "run/no-client",
    `no agent found: neither ${programs} is on PATH, and neither ${variables} points to one`,
    {
      hint: `install one: ${clients.map(({ install }) => install).join(", or ")}; assay demo needs no agent`,
    },
  );
}
