import { readFileSync } from "node:fs";

/** The variables whose value a file may hold instead, named by `<NAME>_FILE`. */
export const secretVariables = [
  "SECRET_KEY",
  "DATABASE_URL",
  "REDIS_URL",
  "SMTP_URL",
  "OPENAI_API_KEY",
  "ANTHROPIC_API_KEY",
  "LOCAL_API_KEY",
  "METRICS_TOKEN",
  "OTEL_EXPORTER_OTLP_HEADERS",
] as const;
export type SecretVariable = (typeof secretVariables)[number];
export type SecretFileVariable = `${SecretVariable}_FILE`;

export const fileVariableOf = (name: SecretVariable): SecretFileVariable => `${name}_FILE`;

/** Returns the whole text of a file. Throws where it cannot be read or is not UTF-8. */
export type ReadSecretFile = (path: string) => string;

export const readSecretFile: ReadSecretFile = (path) =>
  new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));

/** Refuses every file: for configurations that come from variables alone. */
export const readNoFile: ReadSecretFile = () => {
  throw new Error("There are no files here.");
};

type FileValues = { values: Map<string, string>; problems: string[] };

/**
 * Reads the secrets that the environment names files of, without the white space around them. The problems name the
 * variable and neither the path nor the content: somebody may have put the secret itself into `<NAME>_FILE`.
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
      problems.push(`${name} and ${variable} are both set: keep one of them`);
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
