import type { ConnectionFault } from "#contract/administration/provider-check.ts";
import { ProxyFailure } from "./proxy-failure.ts";

/** Codes of Node's sockets, of its DNS and TLS, and of undici. */
const FAULTS: Readonly<Record<string, ConnectionFault>> = {
  ECONNREFUSED: "no-listener",
  ENOTFOUND: "unknown-host",
  EAI_AGAIN: "unknown-host",
  EAI_FAIL: "unknown-host",
  EAI_NODATA: "unknown-host",
  EHOSTUNREACH: "no-route",
  EHOSTDOWN: "no-route",
  ENETUNREACH: "no-route",
  ENETDOWN: "no-route",
  EADDRNOTAVAIL: "no-route",
  EACCES: "no-route",
  EPERM: "no-route",
  ETIMEDOUT: "connect-timeout",
  UND_ERR_CONNECT_TIMEOUT: "connect-timeout",
  ECONNRESET: "closed",
  ECONNABORTED: "closed",
  EPIPE: "closed",
  UND_ERR_SOCKET: "closed",
  CERT_HAS_EXPIRED: "certificate-expired",
  CERT_NOT_YET_VALID: "certificate-expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate-host",
  HOSTNAME_MISMATCH: "certificate-host",
  INVALID_CA: "certificate",
  INVALID_PURPOSE: "certificate",
  EPROTO: "no-tls",
  UND_ERR_HEADERS_OVERFLOW: "not-http",
};

/** Of OpenSSL, for certificates that are not trusted, self-signed ones too. */
const UNTRUSTED_CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_/;

/** Limit of a chain of causes, which may have a cycle. */
const DEPTH_MAX = 8;

/**
 * Returns why a connection failed, by the codes of an error, of its causes, and of the errors that it aggregates: one for
 * each address of a name. The deepest known code is the most precise. Undefined if none is known.
 */
export function connectionFaultOf(error: unknown, depth = 0): ConnectionFault | undefined {
  if (!(error instanceof Error) || depth === DEPTH_MAX) return undefined;
  if (error instanceof ProxyFailure) return "proxy";
  const inner = error instanceof AggregateError ? error.errors : [error.cause];
  for (const each of inner) {
    const fault = connectionFaultOf(each, depth + 1);
    if (fault !== undefined) return fault;
  }
  // undici gives this error no code in most cases.
  if (error.name === "HTTPParserError") return "not-http";
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code !== "string") return undefined;
  if (Object.hasOwn(FAULTS, code)) return FAULTS[code];
  // OpenSSL's, for a handshake that fails; of a missing certificate of ours too.
  if (code.startsWith("ERR_SSL_")) return "no-tls";
  return UNTRUSTED_CERTIFICATE.test(code) ? "certificate" : undefined;
}
