/** Host in the headers of {@link hostClaims}. */
export const EVIL_HOST = "evil.example";

/**
 * Headers of requests that claim another host. Used by
 * `server/accounts/registration/link-hosts.test.ts`.
 */
export const hostClaims: readonly Record<string, string>[] = [
  { host: EVIL_HOST },
  { host: `127.0.0.1:3000@${EVIL_HOST}` },
  { host: `${EVIL_HOST}:80` },
  { "x-forwarded-host": EVIL_HOST, "x-forwarded-proto": "https" },
  { "x-forwarded-host": EVIL_HOST, "x-forwarded-proto": "ftp" },
  { "x-forwarded-server": EVIL_HOST },
  { "x-host": EVIL_HOST },
  { "x-original-host": EVIL_HOST },
  { forwarded: `host=${EVIL_HOST};proto=https` },
  { "x-original-url": `https://${EVIL_HOST}/` },
  { "x-forwarded-prefix": `//${EVIL_HOST}` },
  { referer: `http://${EVIL_HOST}/` },
];
