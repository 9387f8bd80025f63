/** Anything JSON can hold. Every domain type is made of it, so runs, plans and verdicts can be written and read back unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}
