import { freePort, Nginx } from "./nginx.ts";

/** Each process has its own loopback address, so that a port that another program takes briefly does not conflict. */
const hosts = ["127.0.0.2", "127.0.0.3", "127.0.0.4"] as const;

/** `addresses`: HOST and PORT of each process. `env`: settings that the proxy requires. */
export type NginxFront = {
  url: string;
  addresses: readonly { HOST: string; PORT: string }[];
  env: Record<string, string>;
};

/** Starts nginx with the documented configuration, in front of three processes that the caller starts. */
export async function openNginxFront(executable: string, opened: AsyncDisposableStack): Promise<NginxFront> {
  const addresses = [];
  for (const HOST of hosts) addresses.push({ HOST, PORT: String(await freePort(HOST)) });
  const backEnds = addresses.map(({ HOST, PORT }) => `${HOST}:${PORT}`);
  const { url } = opened.use(await Nginx.start({ executable, backEnds }));
  return { url, addresses, env: { PUBLIC_URL: url, TRUST_PROXY: "127.0.0.0/8", RATE_LIMITS: "on" } };
}
