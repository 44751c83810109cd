import { createHash, randomBytes } from "node:crypto";
import { MINUTE, SECOND } from "#contract/limits.ts";
import type { ConnectedToolServer, ToolSignInAnswer } from "#contract/mcp/sign-ins.ts";
import { AbortScope } from "../../concurrency/abort-scope.ts";
import type { Clock } from "../../concurrency/clock.ts";
import type { SecretCipher } from "../../config/secret-cipher.ts";
import type { Database } from "../../database/schema.ts";
import type { McpAttemptRow } from "../../database/tables/mcp-tables.ts";
import { Failure } from "../../failure.ts";
import type { Log } from "../../log.ts";
import { OutboundRefusal } from "../../outbound/outbound-refusal.ts";
import { field } from "../../text/wire-json.ts";
import type { McpClients } from "../mcp-clients.ts";
import { decryptMcpSecret, encryptMcpSecret } from "../mcp-secrets.ts";
import { deleteState } from "../mcp-server-store.ts";
import { nameOfError } from "../name-of-error.ts";
import type { ServerDirectory } from "../server-directory.ts";
import { canSignIn } from "./mcp-authorisations.ts";
import { type Guard, type HttpMcpServer, oauthFetchOf, requestChallenge } from "./oauth-fetch.ts";
import { beginFlow, finishFlow, type OauthIdentity, revokeFlow } from "./oauth-flow.ts";
import { consumeAttempt, findAttempt, insertAttempt, listTokenServers } from "./oauth-store.ts";
import type { RegisteredClients } from "./registered-clients.ts";
import { type AttemptBody, attemptBodySchema } from "./sign-in-bodies.ts";
import type { StoredTokens } from "./stored-tokens.ts";

const ATTEMPT_LIFE_MS = 10 * MINUTE;
const ATTEMPTS_MAX = 10;
const STATE_BYTES = 32;
/** For all requests of one half of a sign-in. */
const FLOW_MS = 30 * SECOND;
const REVOCATION_MS = 5 * SECOND;

/** Who signs in. */
export type SignInPerson = { userId: string; sessionId: string };

export type McpSignInsDeps = {
  database: Database;
  cipher: SecretCipher;
  clock: Clock;
  log: Log;
  guard: Guard;
  servers: ServerDirectory;
  clients: McpClients;
  tokens: StoredTokens;
  registered: RegisteredClients;
  /** Read for each attempt, because owners change the name. */
  identity: () => OauthIdentity;
};

/** Sign-ins of people to servers by OAuth: their two halves, and their end. */
export class McpSignIns {
  readonly #deps: McpSignInsDeps;

  constructor(deps: McpSignInsDeps) {
    this.#deps = deps;
  }

  /**
   * Begins a sign-in. @returns the address to which the browser goes
   * @throws Failure `not-found`, `tool-sign-in-unsupported`, `tool-server-away`
   */
  async begin(key: string, person: SignInPerson, signal: AbortSignal): Promise<string> {
    const { guard, registered, identity, tokens } = this.#deps;
    const server = await this.#find(key, person.userId);
    const { url: serverUrl } = server.transport;
    const state = randomBytes(STATE_BYTES).toString("base64url");
    using scope = new AbortScope({ parents: [signal], ms: FLOW_MS });
    try {
      const challenge = await requestChallenge(guard, server, scope.signal);
      const known = await tokens.find({ server: key, userId: person.userId });
      const wanted = known?.body.wantedScope && [known.body.scope, known.body.wantedScope].join(" ").trim();
      const { address, body } = await beginFlow(
        { ...identity(), fetch: oauthFetchOf(guard, server, scope.signal), clients: registered },
        { serverUrl, state, challenge, scope: wanted },
      );
      await this.#insert(state, { ...person, server: key }, body);
      return address;
    } catch (error) {
      signal.throwIfAborted();
      throw this.#toFailure(server, error, "tool-sign-in-unsupported");
    }
  }

  /**
   * Finishes a sign-in that this session of this person has begun, once, and lists the tools of the server.
   * @throws Failure `tool-sign-in-expired`, `-elsewhere`, `-denied`, `-failed`; `tool-server-away`
   */
  async finish(answer: ToolSignInAnswer, person: SignInPerson, signal: AbortSignal): Promise<ConnectedToolServer> {
    const { guard, tokens, clients } = this.#deps;
    const { key, body } = await this.#consume(answer.state, person);
    const { code, iss, error } = answer;
    if (error === "access_denied") throw new Failure("tool-sign-in-denied");
    if (error !== undefined || code === undefined) throw new Failure("tool-sign-in-failed");
    const server = await this.#find(key, person.userId);
    if (server.transport.url !== body.serverUrl) throw new Failure("tool-sign-in-expired");
    const owner = { server: key, userId: person.userId };
    try {
      using scope = new AbortScope({ parents: [signal], ms: FLOW_MS });
      await tokens.store(owner, await finishFlow(oauthFetchOf(guard, server, scope.signal), body, { code, iss }));
    } catch (cause) {
      signal.throwIfAborted();
      throw this.#toFailure(server, cause, "tool-sign-in-failed");
    }
    await tokens.markSignIn(owner, false);
    await clients.close(key, person.userId);
    const listing = await clients.refresh(server, person.userId, signal);
    return { server: { id: key, name: server.name }, tools: listing.ok ? listing.tools.length : null };
  }

  /** Ends the sign-in of a person to a server, here and, if that answers, at the issuer of the tokens. */
  async end(key: string, userId: string): Promise<void> {
    await this.#end(await this.#find(key, userId), userId);
  }

  /** Ends all sign-ins of an account, as {@link end} does. @param signal ends the requests to issuers */
  async endAll(userId: string, signal: AbortSignal): Promise<void> {
    const { database, servers } = this.#deps;
    const keys = await listTokenServers(database, userId);
    if (keys.length === 0) return;
    const signedIn = (await servers.listFor(database, userId)).filter(({ key }) => keys.includes(key));
    await Promise.all(signedIn.filter(canSignIn).map((server) => this.#end(server, userId, signal)));
  }

  async #end(server: HttpMcpServer, userId: string, signal?: AbortSignal): Promise<void> {
    const { database, tokens, clients, guard, log } = this.#deps;
    const { key } = server;
    const known = await tokens.find({ server: key, userId });
    if (known) await tokens.delete(known);
    await deleteState(database, { server: key, userId });
    await clients.close(key, userId);
    if (!known) return;
    using scope = new AbortScope({ parents: signal ? [signal] : [], ms: REVOCATION_MS });
    try {
      await revokeFlow(oauthFetchOf(guard, server, scope.signal), known.body);
    } catch (error) {
      log.info({ server: key, reason: nameOfError(error) }, "the tokens of a tool server could not be revoked");
    }
  }

  /** @throws Failure `not-found`, `tool-sign-in-unsupported` */
  async #find(key: string, userId: string): Promise<HttpMcpServer> {
    const { database, servers } = this.#deps;
    const server = await servers.findFor(database, userId, key);
    if (!server) throw new Failure("not-found");
    if (!canSignIn(server)) throw new Failure("tool-sign-in-unsupported");
    return server;
  }

  async #insert(state: string, person: SignInPerson & { server: string }, body: AttemptBody): Promise<void> {
    const { database, cipher, clock } = this.#deps;
    const hash = hashOfState(state);
    const row: McpAttemptRow = {
      hash,
      session_id: person.sessionId,
      user_id: person.userId,
      server: person.server,
      body_encrypted: encryptMcpSecret(cipher, "attempt", hash, JSON.stringify(body)),
      expires_at: clock.now() + ATTEMPT_LIFE_MS,
    };
    await database.transaction().execute((db) => insertAttempt(db, row, ATTEMPTS_MAX));
  }

  /** Returns an attempt, which is over. An answer in another session leaves it to its own. */
  async #consume(state: string, { userId, sessionId }: SignInPerson): Promise<{ key: string; body: AttemptBody }> {
    const { database, cipher, clock } = this.#deps;
    const hash = hashOfState(state);
    const row = await findAttempt(database, hash);
    if (!row) throw new Failure("tool-sign-in-expired");
    if (row.user_id !== userId || row.session_id !== sessionId) throw new Failure("tool-sign-in-elsewhere");
    if (!(await consumeAttempt(database, hash)) || row.expires_at <= clock.now()) {
      throw new Failure("tool-sign-in-expired");
    }
    const opened = decryptMcpSecret(cipher, "attempt", hash, row.body_encrypted);
    const body = opened && attemptBodySchema.safeParse(JSON.parse(opened.text)).data;
    if (!body) throw new Failure("tool-sign-in-expired");
    return { key: row.server, body };
  }

  #toFailure(server: HttpMcpServer, error: unknown, code: "tool-sign-in-unsupported" | "tool-sign-in-failed"): Failure {
    if (error instanceof Failure) return error;
    this.#deps.log.warn({ server: server.key, reason: nameOfError(error) }, "a sign-in to a tool server has failed");
    return new Failure(isUnreachable(error) ? "tool-server-away" : code, { cause: error });
  }
}

const hashOfState = (state: string) => createHash("sha256").update(state).digest("hex");

/** Codes of refusals of the server's own making: its answer is wrong, or its address is none that may be requested. */
const WRONG = new Set([
  "bad-address",
  "not-public",
  "redirect-refused",
  "too-many-redirects",
  "wrong-type",
  "too-large",
]);

function isUnreachable(error: unknown): boolean {
  const cause = error instanceof OutboundRefusal ? error : field(error, "cause");
  if (error instanceof DOMException) return true;
  return cause instanceof OutboundRefusal && !WRONG.has(cause.code);
}
