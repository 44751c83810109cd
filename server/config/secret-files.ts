import { readFileSync } from "node:fs";

/** Variables whose value may be in a file instead, given by `<NAME>_FILE`. */
export const secretVariables = [
  "SECRET_KEY",
  "SECRET_KEY_PREVIOUS",
  "DATABASE_URL",
  "REDIS_URL",
  "SMTP_URL",
  "OPENAI_API_KEY",
  "ANTHROPIC_API_KEY",
  "LOCAL_API_KEY",
  "SEARCH_KEY",
  "OIDC_CLIENT_SECRET",
  "LDAP_BIND_PASSWORD",
  "FILES_ACCESS_KEY_ID",
  "FILES_SECRET_ACCESS_KEY",
  "METRICS_TOKEN",
  "OTEL_EXPORTER_OTLP_HEADERS",
] as const;
export type SecretVariable = (typeof secretVariables)[number];
export type SecretFileVariable = `${SecretVariable}_FILE`;

export const fileVariableOf = (name: SecretVariable): SecretFileVariable => `${name}_FILE`;

/** Returns the text of a file. Throws if it cannot be read or is not UTF-8. */
export type ReadSecretFile = (path: string) => string;

export const readSecretFile: ReadSecretFile = (path) =>
  new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));

/** Refuses every file: for configurations without files. */
export const readNoFile: ReadSecretFile = () => {
  throw new Error("There are no files here.");
};

type FileValues = { values: Map<string, string>; problems: string[] };

/**
 * Reads the secrets that the environment refers to by file, without surrounding white space. Problems name the
 * variable, but neither path nor content: `<NAME>_FILE` may contain the secret itself by mistake.
 */
export function readSecretFiles(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly SecretVariable[],
  read: ReadSecretFile,
): FileValues {
  const values = new Map<string, string>();
  const problems: string[] = [];
  for (const name of names) {
    const variable = fileVariableOf(name);
    const path = env[variable]?.trim();
    if (!path) continue;
    if (env[name]?.trim()) {
      problems.push(`${name} and ${variable} are both set: set only one of them`);
      continue;
    }
    try {
      const value = read(path).trim();
      if (value === "") problems.push(`${variable} names a file that is empty`);
      else values.set(name, value);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? ` (${error.code})` : "";
      problems.push(`${variable} names a file that cannot be read${code}`);
    }
  }
  return { values, problems };
}
