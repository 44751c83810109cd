import { join, resolve } from "node:path";
import { getSystemErrorName } from "node:util";
import { RedisLink } from "../../bus/redis-link.ts";
import type { Proxies } from "../../config/proxies.ts";
import { StoreFailure } from "../../files/stores/file-store.ts";
import { openS3Files, storesSettingsOf } from "../../files/stores/open-stores.ts";
import { checkMailServer } from "../../mail/transport.ts";
import { ProxyFailure } from "../../outbound/proxy-failure.ts";
import { type CheckDeps, describeFault, errorCodeOf, type Finding, failure, ok, warning } from "./finding.ts";

const [REDIS, MAIL, FILES, PROXY] = ["redis", "mail", "attached files", "proxy"] as const;

/** Name that no DNS has (RFC 6761): the proxy answers by itself. */
const NOWHERE = "parley.invalid";

/** Checks that Redis answers and accepts its password; nothing without one. */
export async function checkRedis({ secrets, limitMs }: CheckDeps): Promise<Finding[]> {
  if (secrets.redisUrl === undefined) return [];
  const { host } = new URL(secrets.redisUrl);
  try {
    using _link = await RedisLink.open(secrets.redisUrl, () => undefined, AbortSignal.timeout(limitMs));
    return [ok(REDIS, `${host} answers.`)];
  } catch (error) {
    const code = /^(WRONGPASS|NOAUTH|NOPERM)/.exec(error instanceof Error ? error.message : "")?.[1];
    if (code)
      return [failure(REDIS, `${host} refuses the password (${code}).`, "Check user and password in REDIS_URL.")];
    const { found, advice } = describeFault(error, host);
    return [failure(REDIS, found, `${advice} It is that of REDIS_URL. Parley polls the database meanwhile.`)];
  }
}

/** Checks that the mail server accepts the sign-in. No mail is sent. */
export async function checkMail({ config, secrets }: CheckDeps): Promise<Finding> {
  if (secrets.smtpUrl === undefined) {
    const found = `No mail server is set: mails are files in ${join(resolve(config.dataDir), "mails")}.`;
    return warning(MAIL, found, "Set SMTP_URL, so that people get their mails.");
  }
  const { host, username } = new URL(secrets.smtpUrl);
  try {
    await checkMailServer(secrets.smtpUrl);
    return ok(MAIL, `${host} answers${username === "" ? ", without a sign-in" : " and accepts the sign-in"}.`);
  } catch (error) {
    if (errorCodeOf(error) === "EAUTH") {
      return failure(MAIL, `${host} refuses the sign-in.`, "Check user and password in SMTP_URL.");
    }
    const { found, advice } = describeFault(withSystemCode(error), host);
    return failure(
      MAIL,
      found,
      `${advice} It is that of SMTP_URL; smtps:// is TLS from the beginning, usually port 465.`,
    );
  }
}

/** Returns an error with the code of the system or of OpenSSL, which the mail client replaces by codes of its own. */
function withSystemCode(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { errno, message } = error as NodeJS.ErrnoException;
  const code = errorCodeOf(error) === "EDNS" ? "ENOTFOUND" : systemCodeOf(errno, message);
  return code === undefined ? error : Object.assign(new Error(message), { code });
}

function systemCodeOf(errno: number | undefined, message: string): string | undefined {
  if (typeof errno === "number" && errno < 0) return getSystemErrorName(errno);
  if (message.includes("certificate has expired")) return "CERT_HAS_EXPIRED";
  if (message.includes("does not match certificate")) return "ERR_TLS_CERT_ALTNAME_INVALID";
  return message.includes("certificate") ? "UNABLE_TO_VERIFY_LEAF_SIGNATURE" : undefined;
}

/** Checks that the S3-compatible server accepts its credentials; nothing without one. */
export async function checkFiles(deps: CheckDeps): Promise<Finding[]> {
  const { s3 } = storesSettingsOf(deps);
  if (!s3) return [];
  try {
    await using files = await openS3Files(s3);
    await files.check();
    return [ok(FILES, `The bucket ${s3.location.bucket} answers and accepts the keys.`)];
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    return [failure(FILES, error.reason, "Check FILES_URL, FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY.")];
  }
}

/** Checks that each proxy answers and accepts its password; nothing without one. */
export async function checkProxies(deps: CheckDeps): Promise<Finding[]> {
  const { http, https } = deps.secrets.proxies ?? {};
  const used = [
    ...(https === undefined ? [] : [["HTTPS_PROXY", https, "https"] as const]),
    ...(http === undefined ? [] : [["HTTP_PROXY", http, "http"] as const]),
  ];
  return Promise.all(used.map(([variable, proxy, scheme]) => checkProxy(deps, { variable, proxy, scheme })));
}

type ProxyUse = { variable: string; proxy: string; scheme: keyof Proxies };

async function checkProxy({ outbound, limitMs }: CheckDeps, { variable, proxy, scheme }: ProxyUse): Promise<Finding> {
  const address = new URL(`${scheme}://${NOWHERE}/`);
  const { host } = new URL(proxy);
  if (!outbound.usesProxy(address)) {
    return warning(
      PROXY,
      `${host} is set, but NO_PROXY excludes every address.`,
      `Remove * from NO_PROXY, or ${variable}.`,
    );
  }
  const pool = await outbound.open(address, { connectMs: limitMs });
  const signal = AbortSignal.timeout(limitMs);
  try {
    await pool.request({ origin: address.origin, path: "/", method: "HEAD", signal });
  } catch (error) {
    const code = error instanceof ProxyFailure ? error.code : undefined;
    if (code === "proxy_password") {
      return failure(PROXY, `${host} wants another user and password.`, `Check those in ${variable}.`);
    }
    if (code === "proxy_unreachable") {
      const cause = error instanceof Error ? error.cause : undefined;
      return failure(PROXY, describeFault(cause, host).found, `Check the address in ${variable}.`);
    }
    if (signal.aborted) return failure(PROXY, `${host} does not answer.`, `Check the address in ${variable}.`);
    // It answered that the name leads nowhere, as expected.
  } finally {
    await pool.destroy();
  }
  return ok(PROXY, `Requests to ${scheme} addresses go through ${host}, which answers.`);
}
