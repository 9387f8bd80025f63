export { type Config, configured, NO_CONFIG, readConfig, type Settings } from "../engine/config.ts";
export type { Named, Plugins } from "../engine/plugins.ts";
