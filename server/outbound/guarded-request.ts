/** Host and port of an address that an owner entered. `host`: as in a URL. */
export type AllowedHost = { host: string; port: number };

/**
 * `headers`: may contain keys; only those of content negotiation follow a redirect to another origin. `allowed`: the
 * address of an owner, which may be private. `maxBytes`: of the body, as it arrives and decoded. `timeoutMs`: for
 * everything until the response is disposed; Infinity: none. `types`: media types, without parameters, of a response with
 * status 2xx; by default all. `isAnyStatus`: other statuses are responses too. `followsRedirects`: by default true; else
 * redirects are responses.
 */
export type GuardedRequest = {
  method?: "GET" | "POST" | "DELETE";
  headers?: Readonly<Record<string, string>>;
  body?: string;
  allowed?: AllowedHost | undefined;
  maxBytes: number;
  timeoutMs: number;
  types?: readonly string[];
  isAnyStatus?: boolean;
  followsRedirects?: boolean;
  signal?: AbortSignal | undefined;
};

const DEFAULT_PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** Returns the host and port of a URL of http or https that an owner entered. */
export function allowedHostOf({ protocol, hostname, port }: URL): AllowedHost {
  return { host: hostname, port: port === "" ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port) };
}
