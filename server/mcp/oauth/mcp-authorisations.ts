import { setTimeout } from "node:timers/promises";
import type { AuthProvider } from "@modelcontextprotocol/client";
import { SECOND } from "#contract/limits.ts";
import type { Log } from "../../log.ts";
import { OutboundRefusal } from "../../outbound/outbound-refusal.ts";
import { field } from "../../text/wire-json.ts";
import { loadSdk } from "../client/sdk.ts";
import type { McpServer } from "../mcp-server.ts";
import { type Guard, type HttpMcpServer, isConfidential, oauthFetchOf } from "./oauth-fetch.ts";
import { IssuerChangedError, refreshFlow } from "./oauth-flow.ts";
import type { TokenOwner } from "./oauth-store.ts";
import type { RegisteredClients } from "./registered-clients.ts";
import type { TokensBody } from "./sign-in-bodies.ts";
import type { OpenedTokens, StoredTokens } from "./stored-tokens.ts";

/** The sign-in of a person at a server, for its transport. */
export interface McpAuthorisation extends AuthProvider {
  onUnauthorized: NonNullable<AuthProvider["onUnauthorized"]>;
  /**
   * Stores that a call lacked a scope, as an `InsufficientScopeError` states it: the person has to sign in again, which
   * asks for the scope too. Nothing is sent.
   */
  needScope(scope: string | undefined): Promise<void>;
}

/** Tokens of people, as {@link StoredTokens} stores them. */
export type TokenStore = Pick<StoredTokens, keyof StoredTokens>;

type AuthorisationsDeps = {
  tokens: TokenStore;
  clients: Pick<RegisteredClients, "forget">;
  guard: Guard;
  log: Log;
};

/** Interval and limit of waiting for another process that refreshes the same tokens. */
const POLL_MS = 100;
const WAIT_MS = 30 * SECOND;

/** Errors of a token endpoint (RFC 6749, section 5.2) after which only a new sign-in helps. */
const FINAL_ERRORS = new Set(["invalid_grant", "invalid_client", "unauthorized_client"]);

/** Returns whether the tokens of people can be sent to a server: it is confidential, and no key is entered for it. */
export function canSignIn(server: McpServer): server is HttpMcpServer {
  const { transport } = server;
  if (transport.kind !== "http" || !isConfidential(new URL(transport.url))) return false;
  return !Object.keys(transport.headers).some((name) => name.toLowerCase() === "authorization");
}

/** Sends tokens of people to the servers that they have signed in to, and refreshes them. */
export class McpAuthorisations {
  readonly #deps: AuthorisationsDeps;

  constructor(deps: AuthorisationsDeps) {
    this.#deps = deps;
  }

  /** Returns the sign-in of a person, who need not have signed in yet; undefined if the server can have none. */
  authorisationOf(server: McpServer, userId: string): McpAuthorisation | undefined {
    return canSignIn(server) ? new PersonAuthorisation(server, userId, this.#deps) : undefined;
  }
}

class PersonAuthorisation implements McpAuthorisation {
  readonly #server: HttpMcpServer;
  readonly #owner: TokenOwner;
  readonly #deps: AuthorisationsDeps;
  /** The access token of the latest request. */
  #sent: string | undefined;

  constructor(server: HttpMcpServer, userId: string, deps: AuthorisationsDeps) {
    this.#server = server;
    this.#owner = { server: server.key, userId };
    this.#deps = deps;
  }

  // Read for each request, so that a sign-out on another process counts at once.
  async token(): Promise<string | undefined> {
    this.#sent = (await this.#find())?.body.access;
    return this.#sent;
  }

  async onUnauthorized({ response }: { response: Response }): Promise<void> {
    const tokens = await this.#find();
    if (!tokens) return this.#needSignIn();
    // Another request has refreshed them meanwhile.
    if (tokens.body.access !== this.#sent) return;
    await this.#refresh(tokens, response);
  }

  async needScope(scope: string | undefined): Promise<void> {
    const tokens = await this.#find();
    const wanted = [...new Set([...(tokens?.body.wantedScope ?? "").split(" "), ...(scope ?? "").split(" ")])];
    const wantedScope = wanted.filter((each) => each !== "").join(" ");
    if (tokens && wantedScope !== "") await this.#deps.tokens.amend(tokens, { ...tokens.body, wantedScope });
    await this.#deps.tokens.markSignIn(this.#owner, true);
  }

  /** Returns the tokens, unless they were issued for another address than the server has now. */
  async #find(): Promise<OpenedTokens | undefined> {
    const tokens = await this.#deps.tokens.find(this.#owner);
    return tokens?.body.serverUrl === this.#server.transport.url ? tokens : undefined;
  }

  async #refresh(tokens: OpenedTokens, challenge: Response): Promise<void> {
    const { tokens: stored, guard } = this.#deps;
    if (tokens.body.refresh === undefined) return this.#refuse(tokens);
    if (!(await stored.lease(tokens))) return this.#waitForOther(tokens);
    try {
      const refreshed = await refreshFlow(oauthFetchOf(guard, this.#server), tokens.body, challenge);
      await this.#store(tokens, refreshed);
    } catch (error) {
      if (!isFinal(error)) {
        await stored.endLease(tokens);
        throw unreachableBy(error);
      }
      const { issuer, client } = tokens.body;
      if (field(error, "code") === "invalid_client") await this.#deps.clients.forget(issuer, client.client_id);
      await this.#refuse(tokens);
    }
  }

  /** Stores refreshed tokens, also if the row was only amended or encrypted anew meanwhile. */
  async #store(tokens: OpenedTokens, refreshed: TokensBody): Promise<void> {
    const { tokens: stored } = this.#deps;
    if (await stored.replace(tokens, refreshed)) return;
    const now = await this.#find();
    if (now?.row.id === tokens.row.id) await stored.replace(now, { ...now.body, ...refreshed });
  }

  /** Waits until another request or process has refreshed the tokens, which are valid once, or has failed to. */
  async #waitForOther(tokens: OpenedTokens): Promise<void> {
    const { tokens_encrypted: version } = tokens.row;
    for (let waited = 0; waited < WAIT_MS; waited += POLL_MS) {
      await setTimeout(POLL_MS);
      const now = await this.#find();
      if (!now) return this.#needSignIn();
      if (now.row.tokens_encrypted !== version) return;
      if (now.row.refreshing_until === null) break;
    }
    throw unreachableBy(undefined);
  }

  async #refuse(tokens: OpenedTokens): Promise<void> {
    this.#deps.log.info(
      { server: this.#owner.server },
      "the tokens of a person at a tool server are not valid any more",
    );
    await this.#deps.tokens.delete(tokens);
    await this.#needSignIn();
  }

  /** @throws UnauthorizedError */
  async #needSignIn(): Promise<never> {
    await this.#deps.tokens.markSignIn(this.#owner, true);
    const { UnauthorizedError } = await loadSdk();
    throw new UnauthorizedError();
  }
}

/** Returns the refusal for a request that the server did not run, because its issuer does not answer now. */
function unreachableBy(error: unknown): OutboundRefusal {
  const cause = field(error, "cause");
  const reason = cause instanceof OutboundRefusal && cause.reason !== "broken-off" ? cause.reason : undefined;
  return new OutboundRefusal("unreachable", { reason: reason ?? "refused" });
}

/** Returns whether tokens are useless after an error: of the token endpoint, or because their issuer has changed. */
function isFinal(error: unknown): boolean {
  return error instanceof IssuerChangedError || FINAL_ERRORS.has(String(field(error, "code")));
}
