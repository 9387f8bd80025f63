import { UserError } from "../domain/user-error.ts";
import type { AgentClient } from "./harnesses/index.ts";

type Candidate = Pick<AgentClient, "name" | "program" | "programVariable" | "install">;

/** `auto`: the first of the clients that is installed. Throws a UserError that says how to install one. */
export function bestInstalled<C extends Candidate>(
  clients: readonly C[],
  isInstalled: (client: C) => boolean,
): C {
  const found = clients.find(isInstalled);
  if (found !== undefined) return found;
  const programs = clients.map(({ program }) => program).join(" nor ");
  const variables = clients.map(({ programVariable }) => programVariable).join(" or ");
  throw new UserError(
    "run/no-client",
    `no agent is installed: neither ${programs} is on PATH or where ${variables} says`,
    { hint: `${clients.map(({ install }) => install).join(", or ")}; assay demo shows Assay without any` },
  );
}
