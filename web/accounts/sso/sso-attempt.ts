/** Attempts by OpenID Connect: the page is left for the provider, which returns to `/sso/PROVIDER`. */

import * as z from "zod/mini";
import { accountPaths } from "#contract/accounts/paths.ts";
import { type BeginSso, ssoAttemptSchema, ssoPurposes } from "#contract/accounts/single-sign-on.ts";
import { api } from "../../api/client.ts";
import { readTabStorage, writeTabStorage } from "../../storage/session-storage.ts";
import { leaveForUrl } from "../session/leave-for-url.ts";

/** Key of session storage, because the attempt must outlive the page. */
const STORED = "parley.sso";
const NAME = "The attempt to sign in";

const attemptSchema = z.object({
  state: z.string(),
  purpose: z.enum(ssoPurposes),
  /** Path to open afterwards. */
  from: z.string(),
  /** Key of an invitation, which admits a new account. */
  invitation: z.optional(z.string()),
});
/** An attempt that this tab has begun. */
export type StoredAttempt = z.infer<typeof attemptSchema>;

/**
 * Leaves this page for the provider.
 * @throws ApiError
 */
export async function beginSso({ provider, purpose, ...rest }: BeginSso & Omit<StoredAttempt, "state">): Promise<void> {
  const { url, state } = await api.post(accountPaths.ssoAttempts, { provider, purpose }, ssoAttemptSchema);
  writeTabStorage(STORED, JSON.stringify({ state, purpose, ...rest }), NAME);
  leaveForUrl(url);
}

/** Returns the attempt of this state and forgets it, as a state is valid once; null if this tab has not begun it. */
export function takeAttempt(state: string | null): StoredAttempt | null {
  const text = readTabStorage(STORED);
  writeTabStorage(STORED, null, NAME);
  if (text === null || state === null) return null;
  const { data } = attemptSchema.safeParse(parseStored(text));
  return data?.state === state ? data : null;
}

function parseStored(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
