import type { OauthClients } from "../../server/mcp/oauth/attempt-provider.ts";
import type { TokenStore } from "../../server/mcp/oauth/mcp-authorisations.ts";
import type { OauthClientBody, TokensBody } from "../../server/mcp/oauth/sign-in-bodies.ts";
import type { OpenedTokens } from "../../server/mcp/oauth/stored-tokens.ts";

/** Tokens of one person at one server. */
export class MemoryTokens implements TokenStore {
  #tokens: OpenedTokens | undefined;
  #version = 0;

  async find(): Promise<OpenedTokens | undefined> {
    return this.#tokens;
  }

  async store({ server, userId }: { server: string; userId: string }, body: TokensBody): Promise<void> {
    const times = { refreshing_until: null, created_at: 0, updated_at: 0 };
    const { issuer } = body;
    const row = { id: "tokens", server, user_id: userId, issuer, tokens_encrypted: String(++this.#version), ...times };
    this.#tokens = { row, body };
  }

  async replace({ row }: OpenedTokens, body: TokensBody): Promise<boolean> {
    if (this.#tokens?.row.tokens_encrypted !== row.tokens_encrypted) return false;
    this.#tokens = { row: { ...row, tokens_encrypted: String(++this.#version) }, body };
    return true;
  }

  async amend(tokens: OpenedTokens, body: TokensBody): Promise<void> {
    await this.replace(tokens, body);
  }

  async lease(): Promise<boolean> {
    return true;
  }

  async endLease(): Promise<void> {
    // The one process of a test needs no lease.
  }

  async delete(): Promise<void> {
    this.#tokens = undefined;
  }

  async markSignIn(): Promise<void> {
    // Nobody reads it.
  }
}

/** Clients by their issuers. */
export class MemoryClients implements OauthClients {
  readonly #clients = new Map<string, OauthClientBody>();

  async find(issuer: string): Promise<OauthClientBody | undefined> {
    return this.#clients.get(issuer);
  }

  async save(issuer: string, client: OauthClientBody): Promise<void> {
    this.#clients.set(issuer, client);
  }

  async forget(issuer: string): Promise<void> {
    this.#clients.delete(issuer);
  }
}
