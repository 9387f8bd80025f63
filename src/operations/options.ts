/** The tables that say what operations can be told: for doors that offer the same options in another form. */
export { COMPARING, COMPARING_JUDGES, RUNNING_VERSIONS } from "../options/compare.ts";
export { commaList, InvalidValue, type Kind } from "../options/kind.ts";
export { CASSETTES } from "../options/models.ts";
export { type Given, pick, type Row, type Settled, type Table } from "../options/table.ts";
