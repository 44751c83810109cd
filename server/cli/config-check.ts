import { join, resolve } from "node:path";
import { type Config, ConfigError, parseConfig } from "../config/config.ts";
import { findSecretKey, warnOfKeyFile } from "../config/secret-key.ts";
import type { Secrets } from "../config/secrets.ts";
import { effectiveValues, warnOfOpenRegistration } from "../installation/effective-values.ts";
import { readCatalogue } from "../models/read-catalogue.ts";
import type { Call, Command, Outcome } from "./command.ts";

const HIDDEN = "(set, not shown)";

/** All secrets, so that the output also lists those that are not set. */
const secretNames: Readonly<Record<keyof Secrets, true>> = {
  secretKey: true,
  secretKeyPrevious: true,
  databaseUrl: true,
  redisUrl: true,
  smtpUrl: true,
  openaiApiKey: true,
  anthropicApiKey: true,
  localApiKey: true,
  searchKey: true,
  oidcClientSecret: true,
  ldapBindPassword: true,
  filesAccessKeyId: true,
  filesSecretAccessKey: true,
  metricsToken: true,
  mcpServers: true,
  proxies: true,
  otlpHeaders: true,
};

/** User info before the host of a URL. */
const USER_INFO = /([a-z][a-z\d+.-]*:\/\/)[^\s/?#]*@/gi;

export const configCheck: Command = {
  name: "config check",
  usage: "",
  summary: "Prints the configuration as the server reads it, without secrets, or all its errors.",
  async run(call): Promise<Outcome> {
    try {
      return await check(call);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return { data: { problems: error.problems }, lines: [error.message], word: "usage" };
    }
  },
};

async function check({ world }: Call): Promise<Outcome> {
  const { config: read, secrets, warnings: ofSettings } = parseConfig(world.env, world.readFile);
  const { isReachable, fixedSettings } = read;
  const ofRegistration = warnOfOpenRegistration({ isReachable, secrets }, effectiveValues(fixedSettings));
  const warnings = [
    ...ofSettings,
    ...(ofRegistration ? [ofRegistration] : []),
    ...(await warnOfKeyFile(read, secrets)),
  ];
  if (read.modelsFile) await readCatalogue(read.modelsFile);
  const config = withoutUserInfo(read);
  const isSet = new Set(Object.keys(secrets));
  const secretsShown: Record<string, string | null> = Object.fromEntries(
    Object.keys(secretNames).map((name) => [name, isSet.has(name) ? HIDDEN : null]),
  );
  if (!secrets.secretKey) {
    const isMade = (await findSecretKey(read.dataDir)) !== undefined;
    secretsShown.secretKey = isMade ? `(in ${join(resolve(read.dataDir), "secret-key")})` : "(made at the first start)";
  }
  return {
    data: { config, secrets: secretsShown, warnings },
    lines: [...linesOf(config, secretsShown), ...warnings.map((warning) => `Warning: ${warning}`)],
  };
}

/** Returns the configuration with the user info of all URLs masked, because it may contain a password. */
function withoutUserInfo(config: Config): Record<string, unknown> {
  const shown = JSON.stringify(config, (_key, value: unknown) =>
    typeof value === "string" ? value.replace(USER_INFO, "$1***@") : value,
  );
  return JSON.parse(shown);
}

function linesOf(config: Readonly<Record<string, unknown>>, secrets: Record<string, string | null>): string[] {
  return Object.entries({ ...config, ...secrets }).map(([name, value]) => {
    const shown =
      value === null || value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value);
    return `${name}: ${shown}`;
  });
}
