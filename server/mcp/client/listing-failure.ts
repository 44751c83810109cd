import { OutboundRefusal } from "../../outbound/outbound-refusal.ts";
import type { McpListing } from "../mcp-clients.ts";
import type { McpServer } from "../mcp-server.ts";
import type { Sdk } from "./sdk.ts";
import type { Exchange } from "./server-fetch.ts";

export type ListingFailure = Extract<McpListing, { ok: false }>;

const [UNAUTHORIZED, FORBIDDEN, SERVER_ERROR] = [401, 403, 500];

/** Converts the error of a connection or of a list. `exchange`: of the last request over HTTP. */
export function toFailure(
  error: unknown,
  { sdk, server, exchange }: { sdk: Sdk; server: McpServer; exchange: Exchange | undefined },
): ListingFailure {
  const refusal = error instanceof OutboundRefusal ? error : exchange?.refusal;
  if (refusal?.code === "too-large") return { ok: false, code: "too-large" };
  if (refusal) return { ok: false, code: "unreachable", reason: refusal.reason ?? refusal.code };
  if (server.transport.kind === "stdio") return programFailure(error, sdk);
  const { headers } = server.transport;
  const wantsSignIn = error instanceof sdk.UnauthorizedError || error instanceof sdk.InsufficientScopeError;
  if (wantsSignIn && Object.keys(headers).length === 0) return { ok: false, code: "sign-in" };
  return ofStatus(exchange?.status, headers) ?? ofSdk(error, sdk);
}

function ofStatus(status: number | undefined, headers: Record<string, string>): ListingFailure | undefined {
  if (status === undefined || status < 400) return undefined;
  const hasHeaders = Object.keys(headers).length > 0;
  if (status === UNAUTHORIZED || status === FORBIDDEN) {
    const wantsSignIn = status === UNAUTHORIZED && !hasHeaders;
    return { ok: false, code: wantsSignIn ? "sign-in" : "refused", status };
  }
  return { ok: false, code: status >= SERVER_ERROR ? "failed" : "not-mcp", status };
}

function ofSdk(error: unknown, { ProtocolError, SdkError, SdkErrorCode }: Sdk): ListingFailure {
  if (error instanceof ProtocolError) return { ok: false, code: "failed" };
  const isLate = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
  return isLate ? { ok: false, code: "unreachable", reason: "too-slow" } : { ok: false, code: "not-mcp" };
}

function programFailure(error: unknown, { ProtocolError, SdkError, SdkErrorCode }: Sdk): ListingFailure {
  if (error instanceof ProtocolError) return { ok: false, code: "failed" };
  const isWrong = error instanceof SdkError && error.code === SdkErrorCode.InvalidResult;
  return isWrong ? { ok: false, code: "not-mcp" } : { ok: false, code: "unreachable", reason: "program" };
}
