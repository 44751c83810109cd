import { filesWarningsOf, type S3Location } from "./files-url.ts";
import { isLoopbackHost } from "./loopback.ts";
import type { ReadSecretFile } from "./secret-files.ts";
import { type TraceVariables, traceWarningsOf } from "./trace-settings.ts";

type ParsedSettings = {
  host: string;
  isReachable: boolean;
  hasRateLimits: boolean;
  metrics?: { host: string };
  filesAt?: S3Location;
  traces?: object;
};

type Variables = TraceVariables &
  Partial<Record<"PUBLIC_URL" | "METRICS_TOKEN" | "NODE_EXTRA_CA_CERTS", string | undefined>>;

/** Returns a sentence for each setting that is valid, but probably not what the operator wants. */
export function settingsWarningsOf(config: ParsedSettings, values: Variables, readFile: ReadSecretFile): string[] {
  return [
    !isLoopbackHost(config.host) && !values.PUBLIC_URL
      ? "PUBLIC_URL is not set: links in mails point to this machine only."
      : "",
    config.isReachable && !config.hasRateLimits
      ? "RATE_LIMITS is off: nothing slows down attempts to guess passwords or keys."
      : "",
    config.metrics && !isLoopbackHost(config.metrics.host) && !values.METRICS_TOKEN
      ? "METRICS_HOST is reachable from other machines: set METRICS_TOKEN unless a firewall protects it."
      : "",
    ...(config.filesAt ? filesWarningsOf(config.filesAt) : []),
    ...(config.traces ? traceWarningsOf(values) : []),
    caWarningOf(values.NODE_EXTRA_CA_CERTS, readFile),
  ].filter(Boolean);
}

/** Node itself reads the file, and goes on without it if that fails. */
function caWarningOf(path: string | undefined, readFile: ReadSecretFile): string {
  if (path === undefined) return "";
  try {
    if (readFile(path).includes("-----BEGIN CERTIFICATE-----")) return "";
    return "NODE_EXTRA_CA_CERTS names a file without a certificate in PEM form: it has no effect.";
  } catch {
    return "NODE_EXTRA_CA_CERTS names a file that cannot be read: it has no effect.";
  }
}
