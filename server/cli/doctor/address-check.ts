import { SECOND } from "#contract/limits.ts";
import { CHECK_HEADER, livenessSchema, newCheck, proofOf, type SeenRequest } from "../../http/health.ts";
import { parseJson } from "../../text/parse-json.ts";
import { type CheckDeps, describeFault, type Finding, failure, ok, warning } from "./finding.ts";

const ADDRESS = "public address";
/** Address for documentation (RFC 5737), which no client has. */
const FORGED = "192.0.2.77";
const MAX_CHARS = 10_000;
/** Of proxies that do not reach the server behind them. */
const AWAY = [502, 503, 504];

type Answer = { status: number; isParley: boolean; seen: SeenRequest | undefined; answeredAt: number; readAt: number };
export type AddressAnswer = Answer | { error: unknown };

/**
 * Asks the public address what the server behind it sees of the request, which only a server with the same secret
 * answers. The request contains a forged client address.
 */
export async function askPublicAddress(deps: CheckDeps): Promise<AddressAnswer> {
  return ask(deps, deps.config.publicUrl);
}

/** Returns whether a server of this installation runs on this machine. */
export async function isRunningHere(deps: CheckDeps): Promise<boolean> {
  const { host, port } = deps.config;
  const own = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const answer = await ask(deps, `http://${own.includes(":") ? `[${own}]` : own}:${port}`);
  return "seen" in answer && answer.seen !== undefined;
}

async function ask({ outbound, secretKey = "", limitMs }: CheckDeps, base: string): Promise<AddressAnswer> {
  const check = newCheck(secretKey, Date.now());
  const address = new URL("/healthz", base);
  const connectMs = Math.min(limitMs, 5 * SECOND);
  // The browsers of people do not use the proxy of the server.
  const pool = await outbound.open(address, { connectMs, isDirect: true });
  try {
    const { statusCode, headers, body } = await pool.request({
      origin: address.origin,
      path: address.pathname,
      method: "GET",
      headers: { [CHECK_HEADER]: check, "x-forwarded-for": FORGED, "user-agent": "parley-doctor" },
      signal: AbortSignal.timeout(limitMs),
    });
    const readAt = Date.now();
    let text = "";
    for await (const chunk of body) if (text.length < MAX_CHARS) text += chunk;
    const { data } = livenessSchema.safeParse(parseJson(text));
    const seen = data?.seen?.proof === proofOf(secretKey, check) ? data.seen : undefined;
    const answeredAt = Date.parse(String(headers.date));
    return { status: statusCode, isParley: data?.status === "alive", seen, answeredAt, readAt };
  } catch (error) {
    return { error };
  } finally {
    await pool.destroy();
  }
}

/** Checks that this server answers at the public address, and that its proxy reports clients as it should. */
export async function checkAddress(
  deps: CheckDeps,
  asking: Promise<AddressAnswer>,
  running: Promise<boolean>,
): Promise<Finding> {
  const { publicUrl, isReachable } = deps.config;
  const [answer, isRunning] = [await asking, await running];
  const { host } = new URL(publicUrl);
  if ("error" in answer) {
    const { found, advice } = describeFault(answer.error, host);
    return isRunning ? failure(ADDRESS, found, `${advice} It is that of PUBLIC_URL.`) : notRunning(found);
  }
  if (AWAY.includes(answer.status) && !isRunning) return notRunning(`${host} answers with status ${answer.status}.`);
  if (!answer.isParley) {
    const advice = "Let the proxy pass all paths to this server, or correct PUBLIC_URL.";
    return failure(ADDRESS, `Something else than Parley answers at ${host} (status ${answer.status}).`, advice);
  }
  if (!answer.seen) {
    const advice = "Correct PUBLIC_URL or the proxy, or use the same SECRET_KEY and DATA_DIR as that server.";
    return failure(ADDRESS, `Another Parley answers at ${host}, or one with another secret.`, advice);
  }
  const finding = checkForwarding(deps, answer.seen);
  if (finding) return finding;
  if (isReachable && publicUrl.startsWith("http:")) {
    const found = `${host} has no TLS, and other machines can reach this server: passwords cross the network as text.`;
    return warning(ADDRESS, found, "Put a proxy with TLS in front, with https:// in PUBLIC_URL (docs/deployment.md).");
  }
  return ok(ADDRESS, `${publicUrl} is this server.`);
}

const notRunning = (found: string): Finding =>
  warning(ADDRESS, `No server of this installation runs on this machine. ${found}`, "Start it, and run this again.");

/** Returns what is wrong with the client address that the server sees; undefined if nothing is. */
function checkForwarding({ config }: CheckDeps, { ip, peer, forwardedFor }: SeenRequest): Finding | undefined {
  const hasTls = config.publicUrl.startsWith("https:");
  const plainPeer = peer.replace(/^::ffff:/, "");
  if (forwardedFor?.split(",").at(-1)?.trim() === plainPeer) {
    const found = "This request came from the machine of the proxy: it cannot show how the server sees other clients.";
    return warning(ADDRESS, found, "Run this on another machine, or in the container of the server.");
  }
  if (ip === FORGED) {
    const found = "The server believes the client address that any client sends: limits of networks have no effect.";
    return failure(ADDRESS, found, "Unset TRUST_PROXY without a proxy; with one, let it append to X-Forwarded-For.");
  }
  const isAdded = forwardedFor !== null && forwardedFor.trim() !== FORGED;
  if (isAdded && ip === peer) {
    const found = `The proxy at ${peer} is not trusted: all people count as one client.`;
    return failure(ADDRESS, found, `Set TRUST_PROXY=${plainPeer}.`);
  }
  // The server itself has no TLS: a proxy is in front of it.
  if (!isAdded && (hasTls || forwardedFor === null)) {
    const found = `The proxy at ${peer} does not report the addresses of clients: all people count as one client.`;
    return failure(ADDRESS, found, "Let it send X-Forwarded-For, as the examples in deploy/ do.");
  }
  return undefined;
}
