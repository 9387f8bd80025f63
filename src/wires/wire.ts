import type { CassetteView } from "./cassette.ts";
import type { ClientView } from "./client.ts";
import type { HttpView } from "./http.ts";
import type { SimView } from "./sim.ts";

/** All that Assay knows about one HTTP dialect of model services, by who needs it. */
export interface Wire {
  /** To see its traffic pass: the gateway. */
  readonly http: HttpView;
  /** To ask a model in it: providers. Null: Assay asks nobody in this dialect. */
  readonly client: ClientView | null;
  /** To record and replay it: cassettes. */
  readonly cassette: CassetteView;
  /** To answer in it: the scripted model server. */
  readonly sim: SimView;
}
