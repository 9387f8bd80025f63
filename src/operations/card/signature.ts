import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Card, CardSignature } from "../../domain/card.ts";
import type { Json, JsonObject } from "../../domain/json.ts";
import { UserError } from "../../domain/user-error.ts";
import { fingerprintOf, isSignedBy, publicKeyIn, signBytes } from "../../lib/ed25519.ts";
import type { Machine } from "../../machine.ts";

export type SignatureState =
  | { readonly status: "unsigned" }
  /** `trusted`: it is the key that the caller named, not just the one in the card. */
  | { readonly status: "good"; readonly fingerprint: string; readonly trusted: boolean }
  | { readonly status: "bad"; readonly reason: string };

/** Throws a UserError where the file holds no usable key. */
export async function signCard(
  card: Card,
  keyFile: string,
  { cwd }: Pick<Machine, "cwd">,
): Promise<CardSignature> {
  const pem = await keyIn(keyFile, cwd);
  try {
    return { algorithm: "ed25519", ...signBytes(signedBytes({ ...card } as unknown as JsonObject), pem) };
  } catch (error) {
    throw badKey(keyFile, "private", error);
  }
}

/** Whether the card is as its signer left it, and whether that is who the caller expects. */
export async function checkSignature(
  raw: JsonObject,
  { signature }: Card,
  { publicKey, cwd }: { readonly publicKey: string | null; readonly cwd: string },
): Promise<SignatureState> {
  const expected = publicKey === null ? null : await expectedKey(publicKey, cwd);
  if (signature === null)
    return expected === null
      ? { status: "unsigned" }
      : { status: "bad", reason: "the card is not signed, and --public-key asks for a signature" };
  const fingerprint = fingerprintOf(signature.publicKey);
  if (expected !== null && expected !== signature.publicKey)
    return {
      status: "bad",
      reason: `the card is signed with ${fingerprint}, not with ${fingerprintOf(expected)}`,
    };
  if (!isSignedBy(signedBytes(raw), signature))
    return { status: "bad", reason: `the card was changed since ${fingerprint} signed it` };
  return { status: "good", fingerprint, trusted: expected !== null };
}

/** Everything on the card but the signature, with sorted keys, so that reformatting the file changes nothing. */
function signedBytes(card: JsonObject): Buffer {
  const { signature: _signature, ...rest } = card;
  return Buffer.from(JSON.stringify(sorted(rest)), "utf8");
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

async function expectedKey(file: string, cwd: string): Promise<string> {
  const pem = await keyIn(file, cwd);
  try {
    return publicKeyIn(pem);
  } catch (error) {
    throw badKey(file, "public", error);
  }
}

async function keyIn(file: string, cwd: string): Promise<string> {
  return readFile(resolve(cwd, file), "utf8").catch((error: unknown) => {
    throw new UserError(
      "card/no-key",
      `the key ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`,
      {
        hint: "openssl genpkey -algorithm ed25519 -out card-key.pem makes one",
        cause: error,
      },
    );
  });
}

/** The system's words may quote the file, so they are not passed on. */
function badKey(file: string, half: "private" | "public", error: unknown): UserError {
  const words = (error as Error).message;
  const why = words.endsWith("not ed25519") ? `: ${words}` : "";
  return new UserError(
    "card/bad-key",
    `${file} holds no ed25519 ${half} key in PEM without a passphrase${why}`,
    {
      hint:
        half === "private"
          ? "openssl genpkey -algorithm ed25519 -out card-key.pem makes one"
          : "openssl pkey -in card-key.pem -pubout -out card-key.pub.pem writes it",
    },
  );
}
