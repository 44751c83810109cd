import { freePort, Nginx } from "./nginx.ts";

/** Each process has an address of its own: ports that others take for a moment are none of its. Linux has them all. */
const hosts = ["127.0.0.2", "127.0.0.3", "127.0.0.4"] as const;

/** `addresses`: where processes are to listen, each its own; `env`: what they need to know of the proxy. */
export type NginxFront = {
  url: string;
  addresses: readonly { HOST: string; PORT: string }[];
  env: Record<string, string>;
};

/** nginx as people are told to set it up, before three processes that are yet to be started. */
export async function openNginxFront(executable: string, opened: AsyncDisposableStack): Promise<NginxFront> {
  const addresses = [];
  for (const HOST of hosts) addresses.push({ HOST, PORT: String(await freePort(HOST)) });
  const backEnds = addresses.map(({ HOST, PORT }) => `${HOST}:${PORT}`);
  const { url } = opened.use(await Nginx.start({ executable, backEnds }));
  return { url, addresses, env: { PUBLIC_URL: url, TRUST_PROXY: "127.0.0.0/8", RATE_LIMITS: "on" } };
}
