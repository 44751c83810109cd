import type { FileMcpServer } from "./mcp-file.ts";
import { type Proxies, proxiesOf } from "./proxies.ts";
import { readPairs } from "./trace-settings.ts";

/** Values that must never be shown or logged, separate from the rest. */
export type Secrets = Readonly<{
  secretKey?: string;
  /** The secret before the current one: stored keys that it opens are encrypted again. */
  secretKeyPrevious?: string;
  databaseUrl?: string;
  redisUrl?: string;
  smtpUrl?: string;
  openaiApiKey?: string;
  anthropicApiKey?: string;
  localApiKey?: string;
  searchKey?: string;
  oidcClientSecret?: string;
  /** Password of the service account that searches the directory. */
  ldapBindPassword?: string;
  filesAccessKeyId?: string;
  filesSecretAccessKey?: string;
  metricsToken?: string;
  /** Of `MCP_FILE`. */
  mcpServers?: readonly FileMcpServer[];
  proxies?: Proxies;
  /** Headers for the trace collector. */
  otlpHeaders?: Readonly<Record<string, string>>;
}>;

/** Returns the secrets of valid variables. */
export function secretsOf(values: Readonly<Record<string, string | undefined>>): Secrets {
  const proxies = proxiesOf(values);
  return {
    ...(values.SECRET_KEY && { secretKey: values.SECRET_KEY }),
    ...(values.SECRET_KEY_PREVIOUS && { secretKeyPrevious: values.SECRET_KEY_PREVIOUS }),
    ...(values.DATABASE_URL && { databaseUrl: values.DATABASE_URL }),
    ...(values.REDIS_URL && { redisUrl: values.REDIS_URL }),
    ...(values.SMTP_URL && { smtpUrl: values.SMTP_URL }),
    ...(values.OPENAI_API_KEY && { openaiApiKey: values.OPENAI_API_KEY }),
    ...(values.ANTHROPIC_API_KEY && { anthropicApiKey: values.ANTHROPIC_API_KEY }),
    ...(values.LOCAL_API_KEY && { localApiKey: values.LOCAL_API_KEY }),
    ...(values.OIDC_CLIENT_SECRET && { oidcClientSecret: values.OIDC_CLIENT_SECRET }),
    ...(values.LDAP_BIND_PASSWORD && { ldapBindPassword: values.LDAP_BIND_PASSWORD }),
    ...(values.SEARCH_KEY && { searchKey: values.SEARCH_KEY }),
    ...(values.FILES_ACCESS_KEY_ID && { filesAccessKeyId: values.FILES_ACCESS_KEY_ID }),
    ...(values.FILES_SECRET_ACCESS_KEY && { filesSecretAccessKey: values.FILES_SECRET_ACCESS_KEY }),
    ...(values.METRICS_TOKEN && { metricsToken: values.METRICS_TOKEN }),
    ...(proxies && { proxies }),
    ...(values.OTEL_EXPORTER_OTLP_HEADERS && { otlpHeaders: readPairs(values.OTEL_EXPORTER_OTLP_HEADERS) }),
  };
}
