/** Proxies for connections to other servers. The URLs may contain a password. */
export type Proxies = Readonly<{ http?: string; https?: string; noProxy?: string }>;

type ProxyVariables = Readonly<Partial<Record<"HTTP_PROXY" | "HTTPS_PROXY" | "NO_PROXY", string | undefined>>>;

/** Variables that are also read by their names in lower case, which are stronger, as in curl. */
export const eitherCase: ReadonlySet<string> = new Set(["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"]);

export const proxyProblem = "must be an address such as http://proxy.example.org:3128 (SOCKS is not supported)";

/** Returns whether a value names a proxy that is reached by HTTP, with or without TLS. */
export function isProxy(value: string): boolean {
  const url = URL.parse(withScheme(value));
  return (url?.protocol === "http:" || url?.protocol === "https:") && url.hostname !== "";
}

/** Returns the proxies of valid variables; undefined if there are none. */
export function proxiesOf({ HTTP_PROXY, HTTPS_PROXY, NO_PROXY }: ProxyVariables): Proxies | undefined {
  if (!HTTP_PROXY && !HTTPS_PROXY) return undefined;
  return {
    ...(HTTP_PROXY && { http: withScheme(HTTP_PROXY) }),
    ...(HTTPS_PROXY && { https: withScheme(HTTPS_PROXY) }),
    ...(NO_PROXY && { noProxy: NO_PROXY }),
  };
}

/** Completes `proxy.example.org:3128`, which curl accepts too. */
const withScheme = (value: string) => (value.includes("://") ? value : `http://${value}`);
