/** The SDK of the protocol, whose modules are loaded with the first connection: they take 15 MB of memory. */

export type Sdk = typeof import("@modelcontextprotocol/client");

export const loadSdk = (): Promise<Sdk> => import("@modelcontextprotocol/client");
export const loadStdio = () => import("@modelcontextprotocol/client/stdio");
