/** Kinds of {@link ProxyFailure}: no connection to the proxy; it wants a password; it does not connect us. */
export type ProxyFailureCode = "proxy_unreachable" | "proxy_password" | "proxy_refused";

const PASSWORD_WANTED = 407;

/** Failure of a proxy itself, not of the server behind it. Its message contains no password. */
export class ProxyFailure extends Error {
  readonly code: ProxyFailureCode;

  constructor(code: ProxyFailureCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ProxyFailure";
    this.code = code;
  }

  /** The proxy did not answer. */
  static unreachable(proxy: URL, cause: unknown): ProxyFailure {
    return new ProxyFailure("proxy_unreachable", `The proxy ${proxy.host} cannot be reached`, cause);
  }

  /** The proxy answered with this status instead of connecting. */
  static refused(proxy: URL, status: number): ProxyFailure {
    const code = status === PASSWORD_WANTED ? "proxy_password" : "proxy_refused";
    return new ProxyFailure(code, `The proxy ${proxy.host} answered with status ${status}`);
  }
}
