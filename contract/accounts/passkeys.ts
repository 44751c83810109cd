/** Passkeys of an account (WebAuthn Level 3). Binary values are base64url, as `PublicKeyCredential.toJSON()` writes them. */

import * as z from "zod/mini";
import { wellFormed } from "../text/well-formed.ts";
import { timeField } from "../times.ts";
import { codeField } from "./code-field.ts";

/** Passkeys of one account. */
export const PASSKEYS_MAX = 20;
/** Characters of a passkey's name. */
export const PASSKEY_NAME_MAX = 60;

/** WebAuthn allows identifiers of 1,023 bytes. */
const ID_MAX = 1400;
const DATA_MAX = 16_384;
const ALGORITHMS_MAX = 16;

const base64url = (max: number) => z.string().check(z.minLength(1), z.maxLength(max), z.regex(/^[\w-]+$/));

/** Only members that the server reads. */
const credentialFields = {
  id: base64url(ID_MAX),
  rawId: base64url(ID_MAX),
  type: z.literal("public-key"),
};

/** Answer of an authenticator that has a passkey. */
export const passkeyAssertionSchema = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: base64url(DATA_MAX),
    authenticatorData: base64url(DATA_MAX),
    signature: base64url(DATA_MAX),
    userHandle: z.optional(base64url(DATA_MAX)),
  }),
});
export type PasskeyAssertion = z.infer<typeof passkeyAssertionSchema>;

/** Answer of an authenticator that has made a passkey. */
export const passkeyAttestationSchema = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: base64url(DATA_MAX),
    attestationObject: base64url(DATA_MAX),
  }),
});
export type PasskeyAttestation = z.infer<typeof passkeyAttestationSchema>;

/** Options of `navigator.credentials.get()`. The challenge is valid once, in the requesting browser. */
export const passkeyChallengeSchema = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.literal("required"),
});
export type PasskeyChallenge = z.infer<typeof passkeyChallengeSchema>;

/** Options of `navigator.credentials.create()`. */
export const passkeyCreationSchema = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z
    .array(z.object({ type: z.literal("public-key"), alg: z.number() }))
    .check(z.maxLength(ALGORITHMS_MAX)),
  timeout: z.number(),
  attestation: z.literal("none"),
  /** The account's passkeys, of which an authenticator holds one at most. */
  excludeCredentials: z
    .array(z.object({ type: z.literal("public-key"), id: z.string() }))
    .check(z.maxLength(PASSKEYS_MAX)),
  authenticatorSelection: z.object({ residentKey: z.literal("required"), userVerification: z.literal("required") }),
});
export type PasskeyCreation = z.infer<typeof passkeyCreationSchema>;

/** Begins the addition of a passkey. `code`: of the second factor, for an account with one. */
export const beginPasskeySchema = z.object({ code: z.optional(codeField()) });
export type BeginPasskey = z.infer<typeof beginPasskeySchema>;

export const passkeySignInSchema = z.object({ passkey: passkeyAssertionSchema });

export const addPasskeySchema = z.object({ passkey: passkeyAttestationSchema });
export type AddPasskey = z.infer<typeof addPasskeySchema>;

export const renamePasskeySchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(PASSKEY_NAME_MAX), z.overwrite(wellFormed)),
});
export const passkeyParamsSchema = z.object({ id: base64url(ID_MAX) });

/** Times are Unix times in ms. */
export const passkeySchema = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: timeField(),
  lastUsedAt: z.nullable(timeField()),
  /** The host for which it was made, if the server has another one now: there it does not work. */
  otherHost: z.optional(z.string()),
  /** A restored backup brought it back since its last use. */
  isRestored: z.optional(z.boolean()),
});
export type Passkey = z.infer<typeof passkeySchema>;

/** `unavailable`: why the server's address allows no passkeys: it is an IP address, or is not encrypted. */
export const passkeyListSchema = z.object({
  passkeys: z.array(passkeySchema).check(z.maxLength(PASSKEYS_MAX)),
  unavailable: z.optional(z.enum(["address", "unencrypted"])),
});
export type PasskeyList = z.infer<typeof passkeyListSchema>;
