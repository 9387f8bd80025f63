export { VERSION } from "../engine/version.ts";
