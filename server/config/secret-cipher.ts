import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { deriveKey } from "./secret-key.ts";

const ALGORITHM = "aes-256-gcm";
/** Version of the format: this byte, the nonce, the encrypted text, the tag. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES;

/** `isOutdated`: encrypted under the previous key, so that it is to be encrypted again. */
export type Decrypted = { text: string; isOutdated: boolean };

/**
 * Encrypts secrets that the database stores, by AES-256-GCM under a key derived from the installation's secret. The
 * purpose and the id of the row are associated data: a secret that was copied into another row or column does not open.
 */
export class SecretCipher {
  readonly #key: Uint8Array;
  readonly #previous: Uint8Array | undefined;

  /** @param previous the installation's secret before the current one, whose texts still open */
  constructor(secretKey: string, previous?: string) {
    this.#key = deriveKey(secretKey, "stored-secrets");
    this.#previous = previous === undefined ? undefined : deriveKey(previous, "stored-secrets");
  }

  /** @param context purpose of the secret, and id of its row. @returns base64url */
  encrypt(text: string, context: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce).setAAD(Buffer.from(context));
    const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([Buffer.from([VERSION]), nonce, encrypted, cipher.getAuthTag()]).toString("base64url");
  }

  /** Returns the text; undefined if neither key opens it, or if it belongs to another context. */
  decrypt(stored: string, context: string): Decrypted | undefined {
    const current = decryptBy(this.#key, stored, context);
    if (current !== undefined) return { text: current, isOutdated: false };
    const previous = this.#previous && decryptBy(this.#previous, stored, context);
    return previous === undefined ? undefined : { text: previous, isOutdated: true };
  }
}

function decryptBy(key: Uint8Array, stored: string, context: string): string | undefined {
  const bytes = Buffer.from(stored, "base64url");
  if (bytes[0] !== VERSION || bytes.length < HEAD_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(1, HEAD_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(HEAD_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return undefined;
  }
}

/**
 * Returns the sentence for keys that {@link SecretCipher} does not open.
 * @param names what has these keys, such as names of connections
 * @param goOn how to go on all the same, as the end of a sentence
 */
export function unreadableSentence(names: readonly string[], goOn: string): string {
  return (
    `SECRET_KEY does not open the stored keys of ${names.join(", ")}. Set it (or the file secret-key in DATA_DIR) to the ` +
    `key with which they were stored, or add that one as SECRET_KEY_PREVIOUS; or ${goOn}, which leaves these out until ` +
    "their keys are entered again."
  );
}

/** A shorter secret would be known by its end. */
const SHOWN_FROM = 12;

/** Returns the last characters of a secret, by which its owner recognises it; none of a short one. */
export const endOfSecret = (secret: string): string => (secret.length >= SHOWN_FROM ? secret.slice(-4) : "");
