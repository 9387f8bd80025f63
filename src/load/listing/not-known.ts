import { lengthOf, type ListingClient } from "./client.ts";

/** A client that lists skills by rules nobody has written down or seen at work. */
export function notKnown(name: string): ListingClient {
  return {
    name,
    versions: null,
    rule: "No limit is documented, and none was seen; whether there is one is not known.",
    list: (skills) => ({
      budget: null,
      listed: skills.map(({ skill }) => ({
        name: skill.name,
        status: "not known",
        shown: 0,
        of: lengthOf(skill.description ?? ""),
        description: null,
        reason: `how ${name} shortens its list is not known`,
      })),
    }),
  };
}
