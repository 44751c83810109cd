import { describe, expect, it } from "vitest";
import { commonSecrets } from "../../testing/app/common-secrets.ts";
import { problemsOf } from "../../testing/config/problems-of.ts";
import { effectiveValues, warnOfOpenRegistration } from "../installation/effective-values.ts";
import { senderOf } from "../mail/sender.ts";
import { parseConfig } from "./config.ts";
import { isLoopbackUrl } from "./loopback.ts";

it("the configuration has defaults for all variables", () => {
  const { config, secrets, warnings } = parseConfig({});
  expect(config).toMatchObject({
    port: 3000,
    host: "127.0.0.1",
    publicUrl: "http://127.0.0.1:3000",
    fixedSettings: {},
    passwordMin: 8,
    maxMessageChars: 200_000,
    monthlyBudget: undefined,
  });
  expect(secrets).toEqual({});
  expect(warnings).toEqual([]);
});

it.each(["0", "0.009", "-1", "1e3", "ten", "1000001"])("refuses a monthly budget of %s", (MONTHLY_BUDGET_USD) => {
  expect(problemsOf({ MONTHLY_BUDGET_USD })).toEqual(["MONTHLY_BUDGET_USD must be a number from 0.01 to 1000000"]);
});

it.each([
  ["0.01", 10_000_000],
  ["12.35", 12_350_000_000],
  ["1000000", 1e15],
])("reads a monthly budget of %s", (MONTHLY_BUDGET_USD, monthlyBudget) => {
  expect(parseConfig({ MONTHLY_BUDGET_USD }).config).toMatchObject({ monthlyBudget });
});

it("treats an empty variable as absent", () => {
  expect(parseConfig({ PORT: "", OPENAI_API_KEY: " " })).toEqual(parseConfig({}));
});

it("the configuration contains no secret", () => {
  const env = {
    SECRET_KEY: "kDq0mB1xE7pQ4vY9sT2wR6uZ3nL8aC5f",
    DATABASE_URL: "postgres://user:hidden-database@db/parley",
    REDIS_URL: "redis://:hidden-redis@redis",
    SMTP_URL: "smtp://user:hidden-smtp@mail",
    OPENAI_API_KEY: "hidden-openai",
    ANTHROPIC_API_KEY: "hidden-anthropic",
    LOCAL_BASE_URL: "http://127.0.0.1:11434/v1",
    LOCAL_API_KEY: "hidden-local",
    SEARCH_ENGINE: "brave",
    SEARCH_KEY: "hidden-search",
  };
  const { config, secrets } = parseConfig(env);
  expect(JSON.stringify(config)).not.toMatch(/hidden|kDq0/);
  expect(secrets).toMatchObject({ openaiApiKey: "hidden-openai", smtpUrl: env.SMTP_URL, redisUrl: env.REDIS_URL });
});

it("reports all invalid variables at once", () => {
  const env = { PORT: "70000", PUBLIC_URL: "ftp://x", SECRET_KEY: "short", REGISTRATION: "maybe", REPLY_MAX_MS: "0" };
  expect(problemsOf(env).map((problem) => problem.split(" ")[0])).toEqual([
    "PORT",
    "PUBLIC_URL",
    "SECRET_KEY",
    "REGISTRATION",
    "REPLY_MAX_MS",
  ]);
});

it("requires the settings that several servers must share if Redis is set", () => {
  const named = (env: Record<string, string>) => problemsOf(env).map((problem) => problem.split(" ")[0]);
  const DATABASE_URL = "postgres://db/parley";
  const SECRET_KEY = "kDq0mB1xE7pQ4vY9sT2wR6uZ3nL8aC5f";
  expect(named({ REDIS_URL: "redis://redis" })).toEqual(["SECRET_KEY", "DATABASE_URL"]);
  expect(named({ REDIS_URL: "redis://redis", DATABASE_URL })).toEqual(["SECRET_KEY"]);
  expect(named({ REDIS_URL: "rediss://redis:6380", SECRET_KEY, PORT: "x" })).toEqual(["PORT", "DATABASE_URL"]);
  expect(named({ REDIS_URL: "http://redis", DATABASE_URL, SECRET_KEY: "short" })).toEqual(["REDIS_URL", "SECRET_KEY"]);
  expect(named({ REDIS_URL: "rediss://redis:6380", DATABASE_URL, SECRET_KEY })).toEqual([]);
});

describe("E2 secret key", () => {
  it.each([
    "short",
    "changeme-changeme-changeme-changeme",
    "changeme".repeat(5),
    "secret-secret-secret-secret-secret",
    "a".repeat(40),
    "your-secret-key-0123456789abcdef0123",
    "your-secret-key-goes-here-please!!",
    "secret".padEnd(32, "0"),
    "password".padEnd(32, "0"),
  ])("refuses the secret key %s without repeating it", (key) => {
    const problems = problemsOf({ SECRET_KEY: key });
    expect(problems).toEqual([expect.stringMatching(/^SECRET_KEY /)]);
    if (key.length >= 8) expect(problems.join()).not.toContain(key);
  });

  it("refuses short secret keys and those of examples", () => {
    const short = commonSecrets.filter((one) => one.trim() !== "" && one.length < 32);
    expect(short.length).toBeGreaterThan(800);
    expect(short.filter((key) => problemsOf({ SECRET_KEY: key }).length !== 1)).toEqual([]);
  });

  it("accepts random secret keys with any beginning", () => {
    expect(problemsOf({ SECRET_KEY: "xx3fVq0mB1xE7pQ4vY9sT2wR6uZ3nL8aC5f" })).toEqual([]);
  });
});

it("removes a trailing slash from the address for mails", () => {
  expect(parseConfig({ PUBLIC_URL: "https://chat.example.org/" }).config.publicUrl).toBe("https://chat.example.org");
});

it.each([
  ["true", true],
  ["false", false],
  ["10.0.0.0/8, ::1", "10.0.0.0/8, ::1"],
])("accepts %s as trusted proxies", (value, parsed) => {
  expect(parseConfig({ TRUST_PROXY: value }).config.trustProxy).toBe(parsed);
});

it("refuses trusted proxies that are not addresses", () => {
  expect(problemsOf({ TRUST_PROXY: "nonsense" }).concat(problemsOf({ TRUST_PROXY: "1" }))).toHaveLength(2);
});

it("B4 refuses trusted networks that are no ranges, or are wider than one organisation's", () => {
  for (const value of [
    "nonsense",
    "10.0.0.0/33",
    "0.0.0.0/0",
    "10.0.0.0/7",
    "::/0",
    "::ffff:10.0.0.0/104",
    "10.0.0",
    "010.0.0.0/8",
    "10.0.0.256",
    "fd00::/8/8",
    "fd00::g",
    ":::",
    "10.0.0.0/",
    "fd00::1%eth0",
  ]) {
    expect(problemsOf({ TRUSTED_NETWORKS: `192.168.0.0/16, ${value}` })).toEqual([
      expect.stringMatching(/^TRUSTED_NETWORKS must be addresses or ranges/),
    ]);
  }
});

it("G4 accepts only addresses of this machine as loopback", () => {
  for (const host of ["localhost", "127.0.0.1", "127.1.2.3", "[::1]", "chat.localhost"]) {
    expect(isLoopbackUrl(`http://${host}:3000`)).toBe(true);
  }
  for (const host of ["127.evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "128.0.0.1"]) {
    expect(isLoopbackUrl(`http://${host}`)).toBe(false);
  }
});

it("the configuration has the settings of the installation that are given, and no others", () => {
  const env = {
    PRODUCT_NAME: " Salon ",
    REGISTRATION: "closed",
    REGISTRATION_DOMAINS: "Example.org, @b.example  b.example",
    TRUSTED_NETWORKS: "192.168.0.0/16, FD00::/8 203.0.113.7",
    DAILY_REPLIES_PER_USER: "7",
    TOOL_CALLS_PER_MINUTE: "8",
    TOOL_CALLS_PER_DAY: "9",
    SYSTEM_PROMPT: "Be brief.",
  };
  expect(parseConfig(env).config.fixedSettings).toEqual({
    productName: "Salon",
    registration: "closed",
    registrationDomains: ["example.org", "b.example"],
    trustedNetworks: ["192.168.0.0/16", "fd00::/8", "203.0.113.7"],
    dailyReplies: 7,
    toolCallsPerMinute: 8,
    toolCallsPerDay: 9,
    systemPrompt: "Be brief.",
  });
  expect(parseConfig({ REGISTRATION: "open" }).config.fixedSettings).toEqual({ registration: "open" });
});

it("quotes the product's name in the sender's address", () => {
  const { config } = parseConfig({});
  expect(senderOf(config, { productName: 'Tea, "Cakes" & Co' })).toBe('"Tea, Cakes & Co" <no-reply@127.0.0.1>');
  const { config: own } = parseConfig({ MAIL_FROM: "us@example.org" });
  expect(senderOf(own, { productName: "Tea" })).toBe("us@example.org");
});

it("enables rate limits by default if others can reach the server", () => {
  const isLimited = (env: Record<string, string>) => parseConfig(env).config.hasRateLimits;
  expect(isLimited({})).toBe(false);
  expect(isLimited({ PUBLIC_URL: "https://chat.example.org" })).toBe(true);
  expect(isLimited({ RATE_LIMITS: "on" })).toBe(true);
  const open = parseConfig({ PUBLIC_URL: "https://chat.example.org", RATE_LIMITS: "off" });
  expect(open.config.hasRateLimits).toBe(false);
  const warning = "RATE_LIMITS is off: nothing slows down attempts to guess passwords or keys.";
  expect(open.warnings).toEqual([warning]);
  for (const HOST of ["0.0.0.0", "::", "192.0.2.7"]) {
    expect(isLimited({ HOST })).toBe(true);
    expect(parseConfig({ HOST, RATE_LIMITS: "off" }).warnings).toContain(warning);
  }
  for (const HOST of ["127.0.0.2", "::1", "localhost"]) expect(isLimited({ HOST })).toBe(false);
});

it.each([
  [{}, "plain"],
  [{ HOST: "127.0.0.2", PUBLIC_URL: "http://localhost:3000" }, "plain"],
  [{ HOST: "0.0.0.0", PUBLIC_URL: "http://localhost:3000" }, "strict"],
  [{ PUBLIC_URL: "https://chat.example.org" }, "strict"],
  [{ PUBLIC_URL: "https://chat.example.org", PASSWORD_POLICY: "auto" }, "strict"],
  [{ PUBLIC_URL: "https://chat.example.org", PASSWORD_POLICY: "plain" }, "plain"],
  [{ PASSWORD_POLICY: "strict" }, "strict"],
])("A4 with %o the password policy is %s", (env, policy) => {
  expect(parseConfig(env).config.passwordPolicy).toBe(policy);
});

it("metrics are only on this machine by default, and a warning reports if others can reach them", () => {
  expect(parseConfig({ METRICS_PORT: "9464" }).config.metrics).toEqual({ port: 9464, host: "127.0.0.1" });
  const open = { METRICS_PORT: "9464", METRICS_HOST: "0.0.0.0" };
  expect(parseConfig(open).warnings).toHaveLength(1);
  expect(parseConfig({ ...open, METRICS_TOKEN: "kDq0mB1xE7pQ4vY9" }).warnings).toEqual([]);
  expect(problemsOf({ METRICS_HOST: "0.0.0.0", METRICS_TOKEN: "short" })).toEqual([
    "METRICS_TOKEN must be at least 16 characters long",
    "METRICS_PORT is required with METRICS_HOST",
  ]);
});

it("reads the standard variables of OpenTelemetry, with headers among the secrets", () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20hidden-word",
    OTEL_RESOURCE_ATTRIBUTES: "service.name=chat,host.name=a",
    OTEL_TRACES_SAMPLER: "traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0.25",
  };
  const { config, secrets } = parseConfig(env);
  expect(config.traces).toEqual({
    url: "http://collector:4318/v1/traces",
    resource: { "service.name": "chat", "host.name": "a" },
    sampler: { name: "traceidratio", ratio: 0.25 },
  });
  expect(secrets.otlpHeaders).toEqual({ authorization: "Bearer hidden-word" });
  expect(JSON.stringify(config)).not.toContain("hidden-word");
  const wrong = { ...env, OTEL_TRACES_SAMPLER_ARG: "2", OTEL_RESOURCE_ATTRIBUTES: "a,b" };
  expect(problemsOf(wrong)).toEqual([
    "OTEL_RESOURCE_ATTRIBUTES must be a list such as key=value,other=value",
    "OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1",
  ]);
});

describe("variables of OpenTelemetry that a platform sets for all programs", () => {
  const injected = {
    OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
    OTEL_TRACES_EXPORTER: "console",
    OTEL_TRACES_SAMPLER: "parentbased_jaeger_remote",
    OTEL_RESOURCE_ATTRIBUTES: "a,b",
    OTEL_EXPORTER_OTLP_HEADERS: "nonsense",
  };
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };

  it.each([
    {},
    { OTEL_SDK_DISABLED: "true" },
    { ...endpoint, OTEL_SDK_DISABLED: "True" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "collector", OTEL_TRACES_EXPORTER: "none" },
  ])("OpenTelemetry variables are ignored while tracing is disabled: %o", (env) => {
    expect(parseConfig({ ...injected, ...env })).toEqual(parseConfig({}));
  });

  it("traces are sent as JSON over HTTP despite other OpenTelemetry variables, with a warning for each", () => {
    const { OTEL_EXPORTER_OTLP_PROTOCOL, OTEL_TRACES_EXPORTER } = injected;
    const told = parseConfig({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL, OTEL_TRACES_EXPORTER });
    expect(told.config.traces).toMatchObject({ url: "http://collector:4318/v1/traces" });
    expect(told.warnings.map((warning) => warning.split(" ")[0])).toEqual([
      "OTEL_EXPORTER_OTLP_PROTOCOL",
      "OTEL_TRACES_EXPORTER",
    ]);
    const own = { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", OTEL_TRACES_EXPORTER: "otlp" };
    expect(parseConfig({ ...endpoint, ...own }).warnings).toEqual([]);
  });
});

it("warns of risky settings", () => {
  expect(parseConfig({ HOST: "0.0.0.0" }).warnings).toEqual([expect.stringMatching(/^PUBLIC_URL is not set/)]);
  const warning = (env: Record<string, string>) => {
    const { config, secrets } = parseConfig({ PUBLIC_URL: "https://chat.example.org", OPENAI_API_KEY: "key", ...env });
    const { isReachable, fixedSettings } = config;
    return warnOfOpenRegistration({ isReachable, secrets }, effectiveValues(fixedSettings));
  };
  expect(warning({})).toMatch(/^Registration is open to everyone/);
  expect(warning({ REGISTRATION: "closed" })).toBeNull();
  expect(warning({ REGISTRATION_DOMAINS: "example.org" })).toBeNull();
  expect(warning({ OPENAI_API_KEY: "" })).toBeNull();
  expect(warning({ PUBLIC_URL: "http://localhost:3000" })).toBeNull();
  expect(warning({ PUBLIC_URL: "http://localhost:3000", HOST: "0.0.0.0" })).toMatch(
    /^Registration is open to everyone/,
  );
});

describe("proxies", () => {
  const proxiesOf = (env: Record<string, string>) => parseConfig(env).secrets.proxies;

  it("the names of proxies are read in both cases, and the lower one is stronger", () => {
    const HTTP_PROXY = "http://upper.test:3128";
    expect(proxiesOf({ HTTP_PROXY, NO_PROXY: "a.test" })).toEqual({ http: HTTP_PROXY, noProxy: "a.test" });
    expect(proxiesOf({ HTTP_PROXY, http_proxy: "http://lower.test:80" })).toEqual({ http: "http://lower.test:80" });
    expect(proxiesOf({ https_proxy: "secure.test:3128" })).toEqual({ https: "http://secure.test:3128" });
    expect(proxiesOf({ no_proxy: "a.test" })).toBeUndefined();
  });

  it("a proxy that is not reached by HTTP is refused, without its password", () => {
    for (const name of ["HTTP_PROXY", "https_proxy"]) {
      const [problem = "", ...others] = problemsOf({ [name]: "socks5://ada:hidden@proxy.test:1080" });
      expect([problem.split(" ")[0], others]).toEqual([name.toUpperCase(), []]);
      expect(problem).not.toContain("hidden");
    }
  });

  it("the configuration without secrets does not contain the password of a proxy", () => {
    expect(JSON.stringify(parseConfig({ HTTPS_PROXY: "http://ada:hidden@proxy.test:3128" }).config)).not.toContain(
      "hidden",
    );
  });
});

it("a file of certificates that Node ignores is reported by a warning", () => {
  const warningsOf = (text: string | Error) =>
    parseConfig({ NODE_EXTRA_CA_CERTS: "/etc/ca.pem" }, () => {
      if (text instanceof Error) throw text;
      return text;
    }).warnings;
  expect(warningsOf("-----BEGIN CERTIFICATE-----\nMIIB")).toEqual([]);
  expect(warningsOf("a certificate in another form")).toEqual([expect.stringContaining("NODE_EXTRA_CA_CERTS")]);
  expect(warningsOf(new Error("ENOENT"))).toEqual([expect.stringContaining("NODE_EXTRA_CA_CERTS")]);
});
