import type { Clock } from "../../concurrency/clock.ts";
import type { SecretCipher } from "../../config/secret-cipher.ts";
import { newId } from "../../database/new-id.ts";
import type { Database } from "../../database/schema.ts";
import type { McpTokenRow } from "../../database/tables/mcp-tables.ts";
import { decryptMcpSecret, encryptMcpSecret } from "../mcp-secrets.ts";
import { storeState } from "../mcp-server-store.ts";
import {
  deleteTokens,
  endRefreshLease,
  findTokenRow,
  insertTokens,
  leaseRefresh,
  reencryptTokens,
  replaceTokens,
  type TokenOwner,
} from "./oauth-store.ts";
import { type TokensBody, tokensBodySchema } from "./sign-in-bodies.ts";

/** Associated data of tokens: their row and their issuer. */
export const tokensSecretId = ({ id, issuer }: Pick<McpTokenRow, "id" | "issuer">): string => `${id} ${issuer}`;

/** Time for which one process refreshes tokens; longer than its requests take. */
const LEASE_MS = 60_000;

/** Tokens as one version of their row has them. */
export type OpenedTokens = { row: McpTokenRow; body: TokensBody };

type StoredTokensDeps = { database: Database; cipher: SecretCipher; clock: Clock };

/** The tokens of people at servers, encrypted. */
export class StoredTokens {
  readonly #deps: StoredTokensDeps;

  constructor(deps: StoredTokensDeps) {
    this.#deps = deps;
  }

  /** Returns a person's tokens; undefined without any, or if the installation's key does not open them. */
  async find(owner: TokenOwner): Promise<OpenedTokens | undefined> {
    const row = await findTokenRow(this.#deps.database, owner);
    const opened = row && decryptMcpSecret(this.#deps.cipher, "tokens", tokensSecretId(row), row.tokens_encrypted);
    const body = opened && tokensBodySchema.safeParse(JSON.parse(opened.text)).data;
    return row && body && body.issuer === row.issuer ? { row, body } : undefined;
  }

  /** Stores the tokens of a new sign-in. */
  async store({ server, userId }: TokenOwner, body: TokensBody): Promise<void> {
    const { database, clock } = this.#deps;
    const { issuer } = body;
    const [id, now] = [newId(), clock.now()];
    const times = { refreshing_until: null, created_at: now, updated_at: now };
    const encrypted = this.#encrypt({ id, issuer }, body);
    await insertTokens(database, { id, server, user_id: userId, issuer, tokens_encrypted: encrypted, ...times });
  }

  /** Replaces tokens by refreshed ones. @returns false if they have changed meanwhile */
  async replace({ row }: OpenedTokens, body: TokensBody): Promise<boolean> {
    const { database, clock } = this.#deps;
    return replaceTokens(database, row, { encrypted: this.#encrypt(row, body), now: clock.now() });
  }

  /** Changes what is stored beside tokens; a refresh that is under way continues. */
  async amend({ row }: OpenedTokens, body: TokensBody): Promise<void> {
    await reencryptTokens(this.#deps.database, row, this.#encrypt(row, body));
  }

  /** Acquires the lease of a refresh. @returns false if another request or process has it, or the tokens have changed */
  async lease({ row }: OpenedTokens): Promise<boolean> {
    const now = this.#deps.clock.now();
    return leaseRefresh(this.#deps.database, row, { now, until: now + LEASE_MS });
  }

  async endLease({ row }: OpenedTokens): Promise<void> {
    await endRefreshLease(this.#deps.database, row);
  }

  async delete({ row }: OpenedTokens): Promise<void> {
    await deleteTokens(this.#deps.database, row);
  }

  /** Stores that a person has to sign in to a server, or has done so. */
  async markSignIn({ server, userId }: TokenOwner, isNeeded: boolean): Promise<void> {
    await storeState(this.#deps.database, { server, userId }, { needs_sign_in: isNeeded ? 1 : 0 });
  }

  #encrypt(row: Pick<McpTokenRow, "id" | "issuer">, body: TokensBody): string {
    return encryptMcpSecret(this.#deps.cipher, "tokens", tokensSecretId(row), JSON.stringify(body));
  }
}
