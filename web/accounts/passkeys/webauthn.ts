/** Lazy module: asks the browser for passkeys. */

import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from "@simplewebauthn/browser";
import {
  type PasskeyAssertion,
  type PasskeyAttestation,
  type PasskeyCreation,
  passkeyChallengeSchema,
} from "#contract/accounts/passkeys.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { api } from "../../api/client.ts";

/** Names of the errors after which the person has cancelled, or the request has ended by another one or by time. */
const CANCELLED = new Set(["NotAllowedError", "AbortError"]);

/** The browser gave no passkey, although the person did not cancel. `isKnown`: it has one of this account already. */
export class PasskeyError extends Error {
  override readonly name = "PasskeyError";
  readonly isKnown: boolean;

  constructor(cause: unknown) {
    super("The browser gave no passkey", { cause });
    this.isKnown = nameOf(cause) === "InvalidStateError";
  }
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : "");

async function unlessCancelled<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (cause) {
    if (CANCELLED.has(nameOf(cause))) return null;
    throw new PasskeyError(cause);
  }
}

/**
 * Asks for a passkey of this site. Ends an earlier request.
 * @param isAutofill offers the passkeys among the suggestions of a field with `autocomplete="… webauthn"`, without a
 *   dialog, until another request begins
 * @returns null if the person cancels, or if the browser has no such suggestions
 * @throws ApiError; PasskeyError
 */
export async function getPasskey({ isAutofill = false } = {}): Promise<PasskeyAssertion | null> {
  if (isAutofill && !(await browserSupportsWebAuthnAutofill())) return null;
  const optionsJSON = await api.post(accountPaths.passkeyChallenge, undefined, passkeyChallengeSchema);
  return unlessCancelled(() => startAuthentication({ optionsJSON, useBrowserAutofill: isAutofill }));
}

/** Makes a passkey. @returns null if the person cancels. @throws PasskeyError */
export async function createPasskey(optionsJSON: PasskeyCreation): Promise<PasskeyAttestation | null> {
  return unlessCancelled(() => startRegistration({ optionsJSON }));
}

/** Ends the request that is open. */
export const endPasskeyRequest = () => WebAuthnAbortService.cancelCeremony();

export { browserSupportsWebAuthn as hasPasskeySupport };
