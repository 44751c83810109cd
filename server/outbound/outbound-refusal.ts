import type { ConnectionFault } from "#contract/administration/provider-check.ts";
import { connectionFaultOf } from "./connection-fault.ts";

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

const reasons: Readonly<Record<Exclude<ConnectionFault, "connect-timeout">, UnreachableReason>> = {
  ...({ "unknown-host": "name", "no-listener": "refused", "no-route": "refused", proxy: "proxy" } as const),
  ...({ certificate: "certificate", "certificate-expired": "certificate", "certificate-host": "certificate" } as const),
  ...({ "no-tls": "certificate", closed: "broken-off", "not-http": "broken-off" } as const),
};

/** Converts an error of a connection. */
export function toRefusal(error: unknown): OutboundRefusal {
  if (error instanceof OutboundRefusal) return error;
  const fault = connectionFaultOf(error);
  if (fault === "connect-timeout") return new OutboundRefusal("too-slow");
  return new OutboundRefusal("unreachable", { reason: fault === undefined ? "broken-off" : reasons[fault] });
}
