import * as z from "zod/mini";
import {
  DAILY_REPLIES_MAX,
  type InstallationValues,
  PRODUCT_NAME_MAX,
  SHARE_DAYS_MAX,
  shareReaches,
  TOOL_CALLS_MAX,
} from "#contract/administration/installation.ts";
import type { SearchEngineKind } from "#contract/administration/web-search.ts";
import { FILES_PER_MESSAGE_MAX, MEGABYTE, QUOTA_MAX_MB } from "#contract/limits.ts";
import { headerVariables, type TrustedHeaderSettings, trustedHeaderOf } from "./accounts/header-variables.ts";
import { type LdapSettings, ldapSettingsOf, ldapVariables } from "./accounts/ldap-variables.ts";
import { type OidcSettings, oidcSettingsOf, oidcVariables } from "./accounts/oidc-variables.ts";
import { type PasswordSettings, passwordSettingsOf, passwordVariables } from "./accounts/password-settings.ts";
import { SESSION_DAYS_MAX, type SessionLives, sessionLivesOf } from "./accounts/session-lives.ts";
import { problemOfFilesUrl, type S3Location, s3LocationOf } from "./files-url.ts";
import { areNetworks, fixedSettingsOf } from "./fixed-settings.ts";
import { isReachable } from "./loopback.ts";
import { readMcpFile } from "./mcp-file.ts";
import { eitherCase, isProxy, proxyProblem } from "./proxies.ts";
import { missingWith } from "./required-variables.ts";
import { searchEngineOf, searchVariables } from "./search-variables.ts";
import {
  fileVariableOf,
  type ReadSecretFile,
  readNoFile,
  readSecretFiles,
  type SecretFileVariable,
  secretVariables,
} from "./secret-files.ts";
import { type Secrets, secretsOf } from "./secrets.ts";
import { hasTraces, isPairs, samplers, type TraceSettings, traceSettingsOf } from "./trace-settings.ts";
import { isTrustProxy, trustProxyOf } from "./trust-proxy.ts";
import { budgetOf, oneOf, originUrl, secret, text, url, usdBudget, wholeNumber } from "./variable-schemas.ts";
import { settingsWarningsOf } from "./warnings.ts";

export type Config = Readonly<{
  port: number;
  host: string;
  dataDir: string;
  /** Without a trailing slash. */
  publicUrl: string;
  /** Whether other machines can send requests, by `HOST` and `PUBLIC_URL`. */
  isReachable: boolean;
  /** Whether a container manager or the image says, by the variable `container`, that this process is in a container. */
  isInContainer: boolean;
  /** Settings of the installation that the environment sets: owners cannot change them in the browser. */
  fixedSettings: Partial<InstallationValues>;
  /** Sender of mails; absent: one with the product's name. */
  mailFrom?: string;
  /** Whether `SMTP_URL` is set. */
  hasMailServer: boolean;
  sessionLives: SessionLives;
  /** Whose accounts must have a second factor, beside those of groups that need one. */
  secondFactor: "optional" | "administrators" | "required";
  hasRateLimits: boolean;
  maxMessageChars: number;
  /** Budget of the installation for calls to models, in 1e-9 US dollars a month (UTC); undefined: none. */
  monthlyBudget: number | undefined;
  /** Storage quotas in bytes, as measured by `storedBytes`. */
  maxChatBytes: number;
  maxAccountBytes: number;
  /** Largest attached file in bytes; 0 if files cannot be attached. */
  maxFileBytes: number;
  maxFilesPerMessage: number;
  /** Where attached files are stored, if not in the data folder or PostgreSQL. */
  filesAt?: S3Location;
  /** Imports and uploads are refused while less than this space (bytes) is free on the disk of the data folder. */
  minFreeBytes: number;
  replyFirstTextMs: number;
  replyIdleMs: number;
  replyMaxMs: number;
  shutdownGraceMs: number;
  /** Maximum of concurrent connections; further ones are closed immediately. */
  maxConnections: number;
  /** Trusted proxies (addresses, ranges); `true`: the closest one, whatever its address. */
  trustProxy: boolean | string;
  logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  /** `auto`: readable lines on a terminal, JSON elsewhere. */
  logFormat: "auto" | "text" | "json";
  /** `hostedDomain`: the only Google organisation whose members may sign in by Google; `*` for any. */
  google?: { clientId: string; jwksUrl: string; hostedDomain?: string };
  /** Identity provider with OpenID Connect that the environment sets. */
  oidc?: OidcSettings;
  /** Directory (LDAP) that the environment sets. */
  ldap?: LdapSettings;
  /** Sign-in by a header of a trusted proxy. */
  trustedHeader?: TrustedHeaderSettings;
  /** People sign in by an identity provider alone. */
  isSsoOnly: boolean;
  openaiBaseUrl: string;
  anthropicBaseUrl: string;
  localBaseUrl?: string;
  /** The search engine, if the environment sets it; its key is a secret. */
  searchEngine?: { kind: SearchEngineKind; address?: string };
  modelsFile?: string;
  /** File with the MCP servers of the operator; they are secrets, because they may contain keys. */
  mcpFile?: string;
  /** Address of the newest release, in the form of a releases API. */
  releasesUrl?: string;
  /** A separate listener for metrics. */
  metrics?: { port: number; host: string };
  traces?: TraceSettings;
  /** Path from `SECRET_KEY_FILE`. */
  secretKeyFile?: string;
}> &
  Readonly<PasswordSettings>;

export type Environment = Readonly<Record<string, string | undefined>>;
export type ParsedConfig = { config: Config; secrets: Secrets; warnings: string[] };

/** Describes all invalid variables, one line each. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join("\n")}`, options);
    this.problems = problems;
  }
}

const SECRET_KEY_MIN = 32;
const METRICS_TOKEN_MIN = 16;

const baseUrl = url("http", "https");
const proxy = z.string().check(z.refine(isProxy, { error: proxyProblem }));
const pairs = z.string().check(z.refine(isPairs, { error: "must be a list such as key=value,other=value" }));
const filesUrl = z.string().check(({ value, issues }) => {
  const problem = problemOfFilesUrl(value);
  if (problem !== undefined) issues.push({ code: "custom", input: value, message: problem });
});
const ms = wholeNumber(1, 24 * 60 * 60 * 1000);

type SecretFiles = Record<SecretFileVariable, typeof text>;
const secretFiles = Object.fromEntries(secretVariables.map((name) => [fileVariableOf(name), text])) as SecretFiles;

const variables = {
  PORT: wholeNumber(0, 65_535),
  HOST: text,
  DATA_DIR: text,
  PUBLIC_URL: originUrl,
  PRODUCT_NAME: text.check(
    z.maxLength(PRODUCT_NAME_MAX, { error: `must be at most ${PRODUCT_NAME_MAX} characters long` }),
  ),
  DATABASE_URL: url("postgres", "postgresql"),
  REDIS_URL: url("redis", "rediss"),
  FILES_URL: filesUrl,
  FILES_ACCESS_KEY_ID: text,
  FILES_SECRET_ACCESS_KEY: text,
  SECRET_KEY: secret(SECRET_KEY_MIN),
  SECRET_KEY_PREVIOUS: secret(SECRET_KEY_MIN),
  SMTP_URL: url("smtp", "smtps"),
  MAIL_FROM: text,
  OPENAI_API_KEY: text,
  OPENAI_BASE_URL: baseUrl,
  ANTHROPIC_API_KEY: text,
  ANTHROPIC_BASE_URL: baseUrl,
  LOCAL_BASE_URL: baseUrl,
  LOCAL_API_KEY: text,
  ...searchVariables,
  MODELS_FILE: text,
  MCP_FILE: text,
  SYSTEM_PROMPT: text,
  GOOGLE_CLIENT_ID: text,
  GOOGLE_JWKS_URL: baseUrl,
  GOOGLE_HOSTED_DOMAIN: z.string().check(
    z.regex(/^(?:\*|[a-z\d-]+(?:\.[a-z\d-]+)+)$/i, {
      error: "must be a domain such as example.org, or * for any organisation",
    }),
  ),
  ...oidcVariables,
  ...ldapVariables,
  ...headerVariables,
  REGISTRATION: oneOf("open", "closed"),
  REGISTRATION_DOMAINS: text,
  TRUSTED_NETWORKS: z.string().check(
    z.refine((value) => areNetworks(value), {
      error: "must be addresses or ranges such as 192.168.0.0/16, not wider than /8 (IPv6: /7)",
    }),
  ),
  ...passwordVariables,
  SECOND_FACTOR: oneOf("optional", "administrators", "required"),
  RATE_LIMITS: oneOf("auto", "on", "off"),
  SESSION_MAX_DAYS: wholeNumber(1, SESSION_DAYS_MAX),
  SESSION_IDLE_DAYS: wholeNumber(1, SESSION_DAYS_MAX),
  ADMIN_SESSION_MAX_DAYS: wholeNumber(1, SESSION_DAYS_MAX),
  ADMIN_SESSION_IDLE_DAYS: wholeNumber(1, SESSION_DAYS_MAX),
  MAX_MESSAGE_CHARS: wholeNumber(1, 300_000),
  DAILY_REPLIES_PER_USER: wholeNumber(1, DAILY_REPLIES_MAX),
  TOOL_CALLS_PER_MINUTE: wholeNumber(1, TOOL_CALLS_MAX),
  TOOL_CALLS_PER_DAY: wholeNumber(1, TOOL_CALLS_MAX),
  RELEASES_URL: baseUrl,
  RELEASES_CHECK: oneOf("on", "off"),
  MCP_OWN_SERVERS: oneOf("on", "off"),
  SHARE_LINKS: oneOf(...shareReaches),
  SHARE_DAYS_MAX: wholeNumber(0, SHARE_DAYS_MAX),
  MONTHLY_BUDGET_USD: usdBudget,
  MAX_CHAT_MB: wholeNumber(1, 1024),
  MAX_ACCOUNT_MB: wholeNumber(1, QUOTA_MAX_MB),
  MAX_FILE_MB: wholeNumber(0, 1024),
  MAX_FILES_PER_MESSAGE: wholeNumber(1, FILES_PER_MESSAGE_MAX),
  MIN_FREE_DISK_MB: wholeNumber(0, 1_000_000),
  REPLY_FIRST_TEXT_MS: ms,
  REPLY_IDLE_MS: ms,
  REPLY_MAX_MS: ms,
  SHUTDOWN_GRACE_MS: wholeNumber(0, 10 * 60 * 1000),
  MAX_CONNECTIONS: wholeNumber(1, 1_000_000),
  TRUST_PROXY: z.string().check(
    z.refine((value) => isTrustProxy(value), {
      error: "must be true, false, or the addresses of proxies",
    }),
  ),
  HTTP_PROXY: proxy,
  HTTPS_PROXY: proxy,
  NO_PROXY: text,
  NODE_EXTRA_CA_CERTS: text,
  LOG_LEVEL: oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"),
  LOG_FORMAT: oneOf("auto", "text", "json"),
  METRICS_PORT: wholeNumber(0, 65_535),
  METRICS_HOST: text,
  METRICS_TOKEN: secret(METRICS_TOKEN_MIN),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: baseUrl,
  OTEL_EXPORTER_OTLP_HEADERS: pairs,
  OTEL_EXPORTER_OTLP_PROTOCOL: text,
  OTEL_SERVICE_NAME: text,
  OTEL_RESOURCE_ATTRIBUTES: pairs,
  OTEL_TRACES_SAMPLER: oneOf(...samplers),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .check(z.refine((value) => Number(value) >= 0 && Number(value) <= 1, { error: "must be a number from 0 to 1" })),
  OTEL_TRACES_EXPORTER: text,
  OTEL_SDK_DISABLED: text,
  OTEL_BSP_SCHEDULE_DELAY: ms,
  ...secretFiles,
} as const;
type Variable = keyof typeof variables;

/** All variables that are read; others have no effect. */
export const variableNames = Object.keys(variables) as Variable[];

/**
 * Parses the configuration from environment variables; an empty one counts as absent.
 * @param readFile reads the files of secrets given by `<NAME>_FILE`
 * @throws ConfigError that describes all invalid variables
 */
export function parseConfig(env: Environment, readFile: ReadSecretFile = readNoFile): ParsedConfig {
  // A platform may set these for all its programs: without tracing they are ignored.
  const isIgnored = (name: Variable) => name.startsWith("OTEL_") && !hasTraces(env);
  const named = secretVariables.filter((name) => !isIgnored(name));
  const { values: fromFiles, problems } = readSecretFiles(env, named, readFile);
  const given = (name: Variable): string | undefined => {
    const lowerCase = eitherCase.has(name) ? env[name.toLowerCase()]?.trim() : undefined;
    const value = lowerCase || env[name]?.trim() || fromFiles.get(name);
    if (!value || isIgnored(name)) return undefined;
    const result = variables[name].safeParse(value);
    if (result.success) return result.data;
    const source = fromFiles.has(name) ? `${name} (read from ${name}_FILE)` : name;
    problems.push(`${source} ${result.error.issues[0]?.message ?? "is not valid"}`);
    return undefined;
  };
  const values = Object.fromEntries(variableNames.map((name) => [name, given(name)])) as Record<
    Variable,
    string | undefined
  >;

  problems.push(...missingWith(values, env));
  const mcp = readMcpFile(values.MCP_FILE, env, readFile);
  problems.push(...mcp.problems);
  if (problems.length > 0) throw new ConfigError(problems);
  // The convention of systemd and Podman, not a setting.
  const config = { ...toConfig(values), isInContainer: Boolean(env.container) };
  const secrets = { ...secretsOf(values), ...(mcp.servers.length > 0 && { mcpServers: mcp.servers }) };
  return { config, secrets, warnings: settingsWarningsOf(config, values, readFile) };
}

function toConfig(values: Record<Variable, string | undefined>): Omit<Config, "isInContainer"> {
  const port = Number(values.PORT ?? 3000);
  const traces = traceSettingsOf(values);
  const [oidc, ldap, trustedHeader] = [oidcSettingsOf(values), ldapSettingsOf(values), trustedHeaderOf(values)];
  const publicUrl = (values.PUBLIC_URL ?? `http://127.0.0.1:${port}`).replace(/\/+$/, "");
  const host = values.HOST ?? "127.0.0.1";
  const isReachableByOthers = isReachable({ publicUrl, host });
  const { RATE_LIMITS: rateLimits = "auto" } = values;
  return {
    port,
    host,
    dataDir: values.DATA_DIR ?? "./data",
    publicUrl,
    isReachable: isReachableByOthers,
    fixedSettings: fixedSettingsOf(values),
    hasMailServer: values.SMTP_URL !== undefined,
    ...(values.MAIL_FROM && { mailFrom: values.MAIL_FROM }),
    ...passwordSettingsOf(values, isReachableByOthers),
    hasRateLimits: rateLimits === "on" || (rateLimits === "auto" && isReachableByOthers),
    secondFactor: (values.SECOND_FACTOR ?? "optional") as Config["secondFactor"],
    sessionLives: sessionLivesOf(values),
    maxMessageChars: Number(values.MAX_MESSAGE_CHARS ?? 200_000),
    monthlyBudget: budgetOf(values.MONTHLY_BUDGET_USD),
    maxChatBytes: Number(values.MAX_CHAT_MB ?? 16) * MEGABYTE,
    maxAccountBytes: Number(values.MAX_ACCOUNT_MB ?? 1024) * MEGABYTE,
    maxFileBytes: Number(values.MAX_FILE_MB ?? 20) * MEGABYTE,
    maxFilesPerMessage: Number(values.MAX_FILES_PER_MESSAGE ?? 10),
    minFreeBytes: Number(values.MIN_FREE_DISK_MB ?? 256) * MEGABYTE,
    replyFirstTextMs: Number(values.REPLY_FIRST_TEXT_MS ?? 180_000),
    replyIdleMs: Number(values.REPLY_IDLE_MS ?? 60_000),
    replyMaxMs: Number(values.REPLY_MAX_MS ?? 600_000),
    shutdownGraceMs: Number(values.SHUTDOWN_GRACE_MS ?? 8000),
    maxConnections: Number(values.MAX_CONNECTIONS ?? 20_000),
    trustProxy: trustProxyOf(values.TRUST_PROXY),
    logLevel: (values.LOG_LEVEL ?? "info") as Config["logLevel"],
    logFormat: (values.LOG_FORMAT ?? "auto") as Config["logFormat"],
    openaiBaseUrl: values.OPENAI_BASE_URL ?? "https://api.openai.com/v1",
    anthropicBaseUrl: values.ANTHROPIC_BASE_URL ?? "https://api.anthropic.com/v1",
    ...(values.GOOGLE_CLIENT_ID && {
      google: {
        clientId: values.GOOGLE_CLIENT_ID,
        jwksUrl: values.GOOGLE_JWKS_URL ?? "https://www.googleapis.com/oauth2/v3/certs",
        ...(values.GOOGLE_HOSTED_DOMAIN && { hostedDomain: values.GOOGLE_HOSTED_DOMAIN.toLowerCase() }),
      },
    }),
    ...(oidc && { oidc }),
    ...(ldap && { ldap }),
    ...(trustedHeader && { trustedHeader }),
    isSsoOnly: values.OIDC_ONLY === "true",
    ...(values.LOCAL_BASE_URL && { localBaseUrl: values.LOCAL_BASE_URL }),
    ...searchEngineOf(values),
    ...(values.MODELS_FILE && { modelsFile: values.MODELS_FILE }),
    ...(values.MCP_FILE && { mcpFile: values.MCP_FILE }),
    ...(values.RELEASES_URL && { releasesUrl: values.RELEASES_URL }),
    ...(values.FILES_URL && { filesAt: s3LocationOf(values.FILES_URL) }),
    ...(values.METRICS_PORT && {
      metrics: { port: Number(values.METRICS_PORT), host: values.METRICS_HOST ?? "127.0.0.1" },
    }),
    ...(traces && { traces }),
    ...(values.SECRET_KEY_FILE && { secretKeyFile: values.SECRET_KEY_FILE }),
  };
}
