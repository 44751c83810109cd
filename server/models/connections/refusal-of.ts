import type { ProviderRefusal } from "#contract/administration/provider-check.ts";
import { isLoopbackHost } from "../../config/loopback.ts";
import { connectionFaultOf } from "../../outbound/connection-fault.ts";
import { type AssistantErrorCode, ModelError } from "../model-error.ts";

/** By the error code of the provider or of the proxy, which is more precise than the status. */
const byProviderCode: Readonly<Record<string, ProviderRefusal>> = {
  invalid_api_key: "key",
  authentication_error: "key",
  account_deactivated: "key",
  API_KEY_INVALID: "key",
  permission_error: "permission",
  invalid_organization: "permission",
  unsupported_country_region_territory: "permission",
  insufficient_quota: "credit",
  billing_error: "credit",
  billing_not_active: "credit",
  model_not_found: "model",
  not_found_error: "model",
};

const byStatus: Readonly<Record<number, ProviderRefusal>> = {
  401: "key",
  402: "credit",
  403: "permission",
  404: "model-or-address",
  405: "address",
  429: "rate",
};

const byCode: Readonly<Record<AssistantErrorCode, ProviderRefusal>> = {
  "assistant-busy": "overloaded",
  "assistant-refused": "refused",
  "assistant-called-tools": "other",
  "assistant-too-long": "other",
  // Without a status: the key has characters that cannot be sent.
  "assistant-misconfigured": "key",
  "assistant-no-credit": "credit",
  "assistant-model-gone": "model",
  "assistant-unsuited": "unsuited",
  "assistant-unreachable": "unreachable",
  "assistant-stalled": "slow",
  "assistant-broken-off": "broken-off",
  "assistant-failed": "other",
};

/** Returns the reason for which a provider refused a call, or for which there was no connection to it. */
export function refusalOf({ code, status, providerCode, cause }: ModelError): ProviderRefusal {
  if (code === "assistant-unreachable") return connectionFaultOf(cause) ?? "unreachable";
  if (providerCode !== undefined && Object.hasOwn(byProviderCode, providerCode)) {
    return byProviderCode[providerCode] ?? "other";
  }
  if (code !== "assistant-misconfigured" && code !== "assistant-busy" && code !== "assistant-failed") {
    return byCode[code];
  }
  if (status === undefined) return byCode[code];
  const known = byStatus[status];
  if (known) return known;
  // A page instead of an event stream, or a redirect, which is not followed.
  if (status < 400) return "address";
  return code === "assistant-failed" && status >= 500 ? "server" : byCode[code];
}

/** Faults of a loopback address that the own container causes. */
const ofOwnContainer: ReadonlySet<ProviderRefusal> = new Set(["no-listener", "connect-timeout", "unreachable"]);

/** What owners learn of a refusal; `isOwnContainer` as in `providerCheckSchema`. */
export type DescribedRefusal = { reason: ProviderRefusal; status?: number; isOwnContainer?: true };

/** Describes why a server at an address was not reached, or refused. @param hostname of the address, without its port */
export function describeRefusal(
  error: unknown,
  { hostname, isInContainer }: { hostname: string; isInContainer: boolean },
): DescribedRefusal {
  if (!(error instanceof ModelError)) return { reason: "other" };
  const { status } = error;
  const reason = refusalOf(error);
  const isOwn = isInContainer && ofOwnContainer.has(reason) && isLoopbackHost(hostname);
  return { reason, ...(status !== undefined && { status }), ...(isOwn && { isOwnContainer: true }) };
}
