import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

/** An ed25519 key pair's public half, as it travels. */
export interface SignedBytes {
  /** SPKI, base64. */
  readonly publicKey: string;
  /** Base64. */
  readonly value: string;
}

/** Throws where the PEM text holds no ed25519 private key that needs no passphrase. */
export function signBytes(bytes: Uint8Array, pem: string): SignedBytes {
  const key = ed25519(createPrivateKey(pem));
  return { publicKey: spki(createPublicKey(key)), value: sign(null, bytes, key).toString("base64") };
}

/** False also where key or signature are no such thing. */
export function isSignedBy(bytes: Uint8Array, { publicKey, value }: SignedBytes): boolean {
  try {
    const der = Buffer.from(publicKey, "base64");
    const key = ed25519(createPublicKey({ key: der, format: "der", type: "spki" }));
    return verify(null, bytes, key, Buffer.from(value, "base64"));
  } catch {
    return false;
  }
}

/** SPKI, base64, of PEM text with a public key. Throws where it holds no ed25519 key. */
export function publicKeyIn(pem: string): string {
  return spki(ed25519(createPublicKey(pem)));
}

/** What people compare: `SHA256:` and the digest of the key. */
export function fingerprintOf(publicKey: string): string {
  return `SHA256:${createHash("sha256").update(Buffer.from(publicKey, "base64")).digest("base64").replace(/=+$/, "")}`;
}

function ed25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType === "ed25519") return key;
  throw new Error(`it is of type ${key.asymmetricKeyType}, not ed25519`);
}

function spki(key: KeyObject): string {
  return key.export({ format: "der", type: "spki" }).toString("base64");
}
