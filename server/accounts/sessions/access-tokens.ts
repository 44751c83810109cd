import { jwtVerify, SignJWT } from "jose";
import * as z from "zod/mini";
import { SECOND } from "#contract/limits.ts";

/** One fixed algorithm and type: nothing in a token chooses how it is verified. */
const ALGORITHM = "HS256";
const TYPE = "at+jwt";
const ISSUER = "parley";
const AUDIENCE = "parley-api";

/** Claims of a token: the account, the session to which it is bound, and its lifetime in Unix time (ms). */
export type AccessClaims = { userId: string; sessionId: string; issuedAt: number; expiresAt: number };

const uuid = z.string().check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/));
const claimsSchema = z.object({ sub: uuid, sid: uuid, iat: z.int(), exp: z.int() });

export async function signAccessToken(key: Uint8Array, claims: AccessClaims): Promise<string> {
  return new SignJWT({ sid: claims.sessionId })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(claims.userId)
    .setIssuedAt(Math.floor(claims.issuedAt / SECOND))
    .setExpirationTime(Math.floor(claims.expiresAt / SECOND))
    .sign(key);
}

/** Maximum of cached tokens, about 600 bytes each. */
const KNOWN_MAX = 2000;

/**
 * Verifies tokens. A cache saves the verification of the signature at each request of a session; the expiry is checked
 * every time.
 */
export class AccessTokenReader {
  readonly #key: Uint8Array;
  readonly #known = new Map<string, AccessClaims>();

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** Returns `null` for anything that {@link signAccessToken} did not issue, and for expired tokens. */
  async read(token: string, now: number): Promise<AccessClaims | null> {
    const known = this.#known.get(token);
    if (known) return known.expiresAt > now ? known : null;
    const claims = await readAccessToken(this.#key, token, now);
    if (claims) this.#remember(token, claims);
    return claims;
  }

  #remember(token: string, claims: AccessClaims): void {
    for (const oldest of this.#known.keys()) {
      if (this.#known.size < KNOWN_MAX) break;
      this.#known.delete(oldest);
    }
    this.#known.set(token, claims);
  }
}

async function readAccessToken(key: Uint8Array, token: string, now: number): Promise<AccessClaims | null> {
  if (!isCanonical(token)) return null;
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: ISSUER,
      audience: AUDIENCE,
      currentDate: new Date(now),
    });
    const { sub, sid, iat, exp } = claimsSchema.parse(payload);
    return { userId: sub, sessionId: sid, issuedAt: iat * SECOND, expiresAt: exp * SECOND };
  } catch {
    // Any verification error means that the token is not ours.
    return null;
  }
}

/**
 * Base64url has several spellings of the same bytes. Only the canonical one is accepted, so that no modified token is
 * valid.
 */
function isCanonical(token: string): boolean {
  const parts = token.split(".");
  return parts.length === 3 && parts.every((part) => Buffer.from(part, "base64url").toString("base64url") === part);
}
