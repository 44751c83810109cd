import { jsonOf } from "../../testing/http/send.ts";
import type { Site } from "../site.ts";

/** The subset of JSON Schema that the OpenAPI description uses. */
export type Schema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  anyOf?: Schema[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
};

export type Parameter = { name: string; in: "path" | "query" | "header"; schema: Schema; required?: boolean };

/** One route of the OpenAPI description. */
export type ApiRoute = {
  method: string;
  /** Path from the root, with parameters as `{id}`. */
  path: string;
  isOpen: boolean;
  parameters: Parameter[];
  body: Schema | undefined;
};

type Operation = {
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema } | undefined> };
};
type Description = { paths: Record<string, Record<string, Operation>> };

/** Reads all routes from the server's OpenAPI description. */
export async function describedRoutes(site: Site): Promise<ApiRoute[]> {
  const { paths } = jsonOf<Description>(await site.send({ path: "/api/docs/json" }));
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { security, parameters, requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      isOpen: security?.length === 0,
      parameters: parameters ?? [],
      body: requestBody?.content["application/json"]?.schema,
    })),
  );
}

/** Replaces the parameters of a path. */
export function filled(path: string, value: string | ((name: string) => string)): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => (typeof value === "string" ? value : value(name)));
}

const isEvents = (path: string) => path === "/api/events";

/** Routes that send one response, without event streams. */
export const answeringRoutes = (routes: readonly ApiRoute[]) => routes.filter(({ path }) => !isEvents(path));

/** Returns a minimal valid body. */
export function exampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {});
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object") {
    const entries = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name));
    return Object.fromEntries(entries.map(([name, one]) => [name, exampleOf(one)]));
  }
  if (type === "array") return Array.from({ length: schema.minItems ?? 0 }, () => exampleOf(schema.items ?? {}));
  if (type === "boolean") return false;
  if (type === "integer" || type === "number") return schema.minimum ?? 1;
  if (type === "null") return null;
  if (schema.format === "email") return "nobody@example.org";
  return "a".repeat(Math.max(8, schema.minLength ?? 0)).slice(0, schema.maxLength ?? 8);
}

/** Returns the paths of all text fields of a body. */
export function textFields(schema: Schema | undefined): string[] {
  return Object.entries(schema?.properties ?? {})
    .filter(([, { type, anyOf }]) => type === "string" || anyOf?.some((one) => one.type === "string"))
    .map(([name]) => name);
}
