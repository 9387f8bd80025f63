import type { SecretMask } from "../../lib/secret-mask.ts";
import { WIRES } from "../../wires/index.ts";
import type { ModelCall } from "../call.ts";
import { readRequest } from "./read-request.ts";
import type { ReadRequest } from "./piece.ts";
import { type SpelledPlaces, type Spelling, spelling } from "./spelling.ts";

/** Where a trial's client works, as it sees it. */
export interface Whereabouts {
  readonly workspace: string;
  readonly home: string;
  readonly temp: string;
  /** The name that the skill has in this trial alone, as in a trigger probe; null: its own. */
  readonly skill: string | null;
}

export interface Heard extends ReadRequest {
  /** Of this request, for its reply. */
  readonly spelling: Spelling;
}

/** Reads requests of one trial in the spelling of a tape. */
export interface Listener {
  readonly placed: (where: Whereabouts) => void;
  readonly hear: (call: ModelCall) => Heard;
}

/** `alsoIn` finds further words in a request that differ each time. */
export function listener(mask: SecretMask, alsoIn: (body: string) => SpelledPlaces = () => ({})): Listener {
  let where: SpelledPlaces = {};
  return {
    placed({ workspace, home, temp, skill }) {
      where = {
        WS: [workspace],
        HOME: [home],
        // The common one is everywhere in what people and models write.
        ...(/^\/(?:var\/)?tmp\/?$/.test(temp) ? {} : { TMP: [temp] }),
        ...(skill === null ? {} : { SKILL: [skill] }),
      };
    },
    hear(call) {
      const asked = { wire: call.wire, headers: call.headers, model: call.model, body: call.json() };
      const spoken = WIRES[call.wire].cassette.spoken(asked);
      const places = {
        ...where,
        ...placesOf(call, spoken.sessionIds),
        ...alsoIn(JSON.stringify(asked.body)),
      };
      const own = spelling(places, mask);
      return { ...readRequest(asked, spoken, own.toTape), spelling: own };
    },
  };
}

function placesOf({ endpoint }: ModelCall, sessionIds: readonly string[]): SpelledPlaces {
  const sessions = [...new Set(sessionIds)];
  return {
    GW: [endpoint.baseUrl],
    KEY: [endpoint.token],
    ...(sessions[0] === undefined ? {} : { SID: [sessions[0]] }),
    ...(sessions[1] === undefined ? {} : { AGENT: [sessions[1]] }),
  };
}
