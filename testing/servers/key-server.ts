import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";

export const GOOGLE_CLIENT_ID = "parley-test.apps.googleusercontent.com";

/**
 * Behaviour of the server: answers at once, answers with an error, never answers, or answers after {@link
 * KeyServer.letGo}.
 */
export type KeyServerState = "up" | "down" | "silent" | "held";

type SigningKey = { kid: string; publicJwk: JWK; privateKey: CryptoKey };

/** Publishes keys as Google does, and issues id_tokens signed by them. */
export class KeyServer implements AsyncDisposable {
  state: KeyServerState = "up";
  /** Number of requests for the keys. */
  requests = 0;
  readonly #server: Server;
  readonly #held: ServerResponse[] = [];
  #key: SigningKey;

  constructor(key: SigningKey) {
    this.#key = key;
    this.#server = createServer((_request, response) => this.#answer(response));
  }

  /** For `GOOGLE_JWKS_URL`. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/certs`;
  }

  get publicJwk(): JWK {
    return this.#key.publicJwk;
  }

  async listen(): Promise<void> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
  }

  /** Answers the held requests, and later ones at once. */
  letGo(): void {
    this.state = "up";
    for (const response of this.#held.splice(0)) this.#sendKeys(response);
  }

  /** Replaces the published key with a new one. */
  async rotate(): Promise<void> {
    this.#key = await newKey();
  }

  /** Issues an id_token as Google would at `now` (Unix time in ms). Claims that are `undefined` are left out. */
  async issueIdToken(claims: JWTPayload = {}, now = Date.now()): Promise<string> {
    const seconds = Math.floor(now / 1000);
    const payload = {
      iss: "https://accounts.google.com",
      aud: GOOGLE_CLIENT_ID,
      azp: GOOGLE_CLIENT_ID,
      sub: "100000000000000000001",
      email: "ada@example.org",
      email_verified: true,
      name: "Ada Lovelace",
      given_name: "Ada",
      family_name: "Lovelace",
      nbf: seconds - 300,
      iat: seconds,
      exp: seconds + 3600,
      ...claims,
    };
    const { kid, privateKey } = this.#key;
    return new SignJWT(payload).setProtectedHeader({ alg: "RS256", typ: "JWT", kid }).sign(privateKey);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(response: ServerResponse): void {
    this.requests++;
    if (this.state === "silent") return;
    if (this.state === "held") {
      this.#held.push(response);
      return;
    }
    if (this.state === "down") {
      response.writeHead(500).end();
      return;
    }
    this.#sendKeys(response);
  }

  #sendKeys(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ keys: [this.#key.publicJwk] }));
  }
}

export async function startKeyServer(): Promise<KeyServer> {
  const server = new KeyServer(await newKey());
  await server.listen();
  return server;
}

let keys = 0;

async function newKey(): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const kid = `test-key-${++keys}`;
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" } };
}
