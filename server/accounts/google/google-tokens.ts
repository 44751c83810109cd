import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from "jose";
import * as z from "zod/mini";
import { EMAIL_MAX, HOUR, MINUTE, SECOND } from "#contract/limits.ts";
import { Failure } from "../../failure.ts";
import type { Outbound } from "../../outbound/outbound.ts";

const ISSUERS = ["accounts.google.com", "https://accounts.google.com"];
const FETCH_MS = 4 * SECOND;
/** Minimum interval between fetches of keys, which tokens with an unknown key cause. */
const REFETCH_AT_MOST_EVERY_MS = MINUTE;
const KEEP_KEYS_MS = HOUR;
const ISSUED_AHEAD_MAX_MS = MINUTE;

/** A profile that Google confirms, with a verified address. Times are Unix times in ms. */
export type GoogleProfile = {
  subject: string;
  email: string;
  /** Whether Google hosts this address, so that its verification proves ownership. */
  isAuthoritative: boolean;
  nonce?: string;
  expiresAt: number;
  name: string;
  givenName: string;
  familyName: string;
};

const text = z.catch(z.string(), "");
const claimsSchema = z.object({
  sub: z.string().check(z.minLength(1), z.maxLength(255)),
  // A list of audiences, even with our client id in it, is a token for another party too.
  aud: z.string(),
  iat: z.number(),
  exp: z.number(),
  email: z.email().check(z.maxLength(EMAIL_MAX)),
  email_verified: z.literal(true),
  hd: z.optional(z.string()),
  nonce: z.optional(z.string()),
  name: text,
  given_name: text,
  family_name: text,
});

export type GoogleTokenSettings = { clientId: string; jwksUrl: string; hostedDomain?: string };

/** Validates Google's id_tokens with Google's published keys. */
export class GoogleTokens {
  readonly #clientId: string;
  readonly #hostedDomain: string | undefined;
  readonly #findKey: JWTVerifyGetKey;

  constructor({ clientId, jwksUrl, hostedDomain }: GoogleTokenSettings, outbound: Outbound) {
    this.#clientId = clientId;
    this.#hostedDomain = hostedDomain;
    const keys = createRemoteJWKSet(new URL(jwksUrl), {
      timeoutDuration: FETCH_MS,
      cooldownDuration: REFETCH_AT_MOST_EVERY_MS,
      cacheMaxAge: KEEP_KEYS_MS,
      [customFetch]: (url, options) => outbound.fetchDocument(url, options),
    });
    this.#findKey = async (header, token) => {
      try {
        return await keys(header, token);
      } catch (error) {
        if (isAboutToken(error)) throw error;
        throw new Failure("google-unavailable", { cause: error });
      }
    };
  }

  /** @throws Failure `bad-google-token`, `google-domain`, `google-unavailable` */
  async read(idToken: string, now: number): Promise<GoogleProfile> {
    try {
      const { payload } = await jwtVerify(idToken, this.#findKey, {
        algorithms: ["RS256"],
        issuer: ISSUERS,
        audience: this.#clientId,
        requiredClaims: ["sub", "iat", "exp"],
        currentDate: new Date(now),
      });
      const claims = claimsSchema.parse(payload);
      this.#checkOrganisation(claims.hd ?? "");
      return toProfile(claims, now);
    } catch (error) {
      throw error instanceof Failure ? error : new Failure("bad-google-token");
    }
  }

  /**
   * Checks Google's claim of the organisation, which private accounts lack; the domain of an address proves nothing.
   */
  #checkOrganisation(hd: string): void {
    const wanted = this.#hostedDomain;
    if (wanted === undefined) return;
    const isMember = wanted === "*" ? hd !== "" : hd.toLowerCase() === wanted;
    if (!isMember) throw new Failure("google-domain");
  }
}

function toProfile(claims: z.infer<typeof claimsSchema>, now: number): GoogleProfile {
  if (claims.iat * SECOND > now + ISSUED_AHEAD_MAX_MS) throw new Failure("bad-google-token");
  return {
    subject: claims.sub,
    email: claims.email,
    isAuthoritative: Boolean(claims.hd) || /@(?:gmail|googlemail)\.com$/i.test(claims.email),
    ...(claims.nonce !== undefined && { nonce: claims.nonce }),
    expiresAt: claims.exp * SECOND,
    name: claims.name,
    givenName: claims.given_name,
    familyName: claims.family_name,
  };
}

/** Distinguishes an error of the token from a failure to fetch the keys. */
function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWSInvalid
  );
}
