import type { Config } from "../config/config.ts";
import type { Secrets } from "../config/secrets.ts";
import type { EnvironmentAddresses } from "./connections/connection-settings.ts";

/** Returns the addresses and keys of providers that the environment sets. */
export function environmentAddresses(config: Config, secrets: Secrets): EnvironmentAddresses {
  const { openaiApiKey, anthropicApiKey, localApiKey } = secrets;
  const { openaiBaseUrl, anthropicBaseUrl, localBaseUrl } = config;
  return {
    ...(openaiApiKey && { openai: { apiKey: openaiApiKey, baseUrl: openaiBaseUrl } }),
    ...(anthropicApiKey && { anthropic: { apiKey: anthropicApiKey, baseUrl: anthropicBaseUrl } }),
    ...(localBaseUrl && { local: { baseUrl: localBaseUrl, ...(localApiKey && { apiKey: localApiKey }) } }),
  };
}
