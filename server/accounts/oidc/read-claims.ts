import * as z from "zod/mini";
import { emailField } from "#contract/accounts/accounts.ts";
import type { ConfirmedIdentity } from "../sso/confirmed-identity.ts";

/** Claims of an id token or of the UserInfo endpoint (OpenID Connect Core, section 5.1). */
export type Claims = Readonly<Record<string, unknown>>;

const LABEL_MAX = 254;
const GROUPS_MAX = 2000;

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const textOf = (value: unknown): string => (isText(value) ? value : "");

/**
 * Reads a person from claims, of which none but the subject is certain. An address without `email_verified` is not
 * verified; a name may be one word, or missing.
 */
export function readPerson(claims: Claims): Omit<ConfirmedIdentity, "issuer" | "subject" | "groups"> {
  const email = emailField().safeParse(claims.email);
  const username = textOf(claims.preferred_username);
  const name = textOf(claims.name) || textOf(claims.nickname) || username.split("@", 1)[0] || "";
  return {
    label: (textOf(claims.email) || username || textOf(claims.name) || textOf(claims.sub)).slice(0, LABEL_MAX),
    ...(email.success && { email: email.data }),
    // Some providers write the boolean as a string.
    isEmailVerified: email.success && (claims.email_verified === true || claims.email_verified === "true"),
    name,
    givenName: textOf(claims.given_name),
    familyName: textOf(claims.family_name),
  };
}

const overageSchema = z.object({ _claim_names: z.record(z.string(), z.unknown()) });

/**
 * Reads the groups of a person from a claim: a list of names, a list separated by spaces, or an object whose keys are
 * names. `path` is the claim's whole name, or names of nested claims with dots between them.
 * @returns undefined if the claim is missing, or is only referred to (too many groups for the token): which is not the
 * same as no groups
 */
export function readGroups(claims: Claims, path: string): string[] | undefined {
  const overage = overageSchema.safeParse(claims);
  if (overage.success && path in overage.data._claim_names) return undefined;
  const value = path in claims ? claims[path] : path.split(".").reduce<unknown>(memberOf, claims);
  if (typeof value === "string") return value.split(/\s+/).filter(isText);
  if (Array.isArray(value)) return value.filter(isText).slice(0, GROUPS_MAX);
  if (typeof value === "object" && value !== null) return Object.keys(value).slice(0, GROUPS_MAX);
  return undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
