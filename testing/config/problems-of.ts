import { ConfigError, parseConfig } from "../../server/config/config.ts";

/** Returns the problems of an environment; none if it is valid. */
export function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
