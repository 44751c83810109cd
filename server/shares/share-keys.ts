import { SHARE_LINK_PATH } from "#contract/shares/paths.ts";
import { hashMailedKey, linkKeyOf } from "../accounts/mailed-keys/mailed-keys.ts";
import { deriveKey } from "../config/secret-key.ts";

/** Derives and recognises the tokens of links. The database has only their hashes. */
export class ShareKeys {
  readonly #secret: Uint8Array;
  readonly #publicUrl: string;

  constructor({ secretKey, publicUrl }: { secretKey: string; publicUrl: string }) {
    this.#secret = deriveKey(secretKey, "shares");
    this.#publicUrl = publicUrl;
  }

  /** Returns the hash of the token of a link, as the database has it. */
  hashFor(shareId: string): string {
    return hashMailedKey(this.#tokenOf(shareId));
  }

  /** Returns the hash by which a token of a reader is found. */
  hashOf(token: string): string {
    return hashMailedKey(token);
  }

  /** Returns the address of a link; null if its token was made with another secret. */
  urlOf({ id, token_hash }: { id: string; token_hash: string | null }): string | null {
    const token = this.#tokenOf(id);
    return hashMailedKey(token) === token_hash ? `${this.#publicUrl}${SHARE_LINK_PATH}${token}` : null;
  }

  /** 128 bits. */
  #tokenOf(shareId: string): string {
    return linkKeyOf(this.#secret, shareId);
  }
}
