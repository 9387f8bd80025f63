/** Anything JSON can hold. Every domain type is made of it, so runs, plans and verdicts can be written and read back unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * A type of ours as JSON holds it, so that one whose fields are all plain values can be passed as `JsonObject` without a cast.
 * What JSON cannot hold, such as a function or undefined, is `never`, and does not compile.
 */
export type AsJson<T> = T extends Json
  ? T
  : T extends readonly (infer U)[]
    ? readonly AsJson<U>[]
    : T extends object
      ? T extends (...args: never[]) => unknown
        ? never
        : { readonly [K in keyof T]: AsJson<T[K]> }
      : never;
