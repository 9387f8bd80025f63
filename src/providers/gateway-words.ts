/** What the gateway says itself, rather than a service behind it, begins so. */
export const GATEWAY_SAYS = "assay gateway: ";

/** Why a service refused, beside a status that the gateway chose for the client's sake. */
export const REASON_HEADER = "x-assay-reason";

/** An error without the gateway's name and its status, which only makes clients give up; other errors as they are. */
export function withoutGateway(error: string): string {
  return error.replace(SAID_BY_GATEWAY, "");
}

const SAID_BY_GATEWAY = new RegExp(`^(?:API Error: )?(?:\\d{3}:? )?${GATEWAY_SAYS}`);
