import { ProxyFailure } from "./proxy-failure.ts";

/** Why a server did not answer: its name, its connection, its certificate, our proxy, or an answer that broke off. */
export type UnreachableReason = "name" | "refused" | "certificate" | "proxy" | "broken-off";

/**
 * Why a guarded request has no answer.
 * - `bad-address`: no URL, another scheme than http and https, or a URL with a user name.
 * - `not-public`: an address that is not public, a name that resolves to one, or an address of metadata.
 * - `redirect-refused`: a redirect that is not followed: from an address of an owner to elsewhere, or of a POST.
 * - `bad-status`: another status than 2xx.
 * - `wrong-type`: a media type or content encoding that was not asked for.
 */
export type RefusalCode =
  | "bad-address"
  | "not-public"
  | "unreachable"
  | "redirect-refused"
  | "too-many-redirects"
  | "bad-status"
  | "wrong-type"
  | "too-large"
  | "too-slow";

/** Failure of a guarded request. It contains no text of the other server. */
export class OutboundRefusal extends Error {
  readonly code: RefusalCode;
  /** Of `unreachable`. */
  readonly reason: UnreachableReason | undefined;
  /** Of `bad-status`. */
  readonly status: number | undefined;

  constructor(code: RefusalCode, { reason, status }: { reason?: UnreachableReason; status?: number } = {}) {
    super([code, reason, status].filter((each) => each !== undefined).join(", "));
    this.name = "OutboundRefusal";
    this.code = code;
    this.reason = reason;
    this.status = status;
  }
}

const UNKNOWN_NAME = new Set(["ENOTFOUND", "EAI_AGAIN", "EAI_NODATA", "EAI_NONAME", "ENODATA"]);
const NO_CONNECTION = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "EACCES", "EPERM"]);
const TIMEOUT = new Set(["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT"]);
/** Codes of OpenSSL and of Node for certificates and handshakes that fail. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|^ERR_TLS|^ERR_SSL|^EPROTO$/;

/** Converts an error of a connection. */
export function toRefusal(error: unknown): OutboundRefusal {
  if (error instanceof OutboundRefusal) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (TIMEOUT.has(code)) return new OutboundRefusal("too-slow");
  return new OutboundRefusal("unreachable", { reason: reasonOf(error, code) });
}

function reasonOf(error: unknown, code: string): UnreachableReason {
  if (error instanceof ProxyFailure) return "proxy";
  if (UNKNOWN_NAME.has(code)) return "name";
  if (NO_CONNECTION.has(code)) return "refused";
  return CERTIFICATE.test(code) ? "certificate" : "broken-off";
}
