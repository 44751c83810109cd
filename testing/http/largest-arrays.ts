import * as z from "zod/mini";
import { API_BASE } from "#contract/http.ts";
import { exportSchema } from "#contract/transfer/transfer.ts";

/** A JSON schema, as far as the contract's schemas use it. */
export type JsonSchema = {
  type?: string;
  format?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  minimum?: number;
  minLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
};

/** A request body with one array, and the smallest valid values beside. */
export type ArrayBody = {
  /** Method and path as in `POST /chat/{id}/message`. */
  route: string;
  /** Path of the array in the body, as in `chats[].messages[].parts`. */
  array: string;
  maxItems: number | undefined;
  /** Returns the body in which this array, and no other, has `count` elements. */
  of(count: number): unknown;
};

type Description = {
  paths: Record<string, Record<string, { requestBody?: { content?: Record<string, { schema?: JsonSchema }> } }>>;
};

/** Lists every array in the request bodies of an OpenAPI description, and of the export format, which imports take. */
export function arrayBodies(description: unknown): ArrayBody[] {
  const { paths } = description as Description;
  const bodies = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content?.["application/json"]?.schema;
      return schema ? arraysOf(`${method.toUpperCase()} ${path.slice(API_BASE.length)}`, schema) : [];
    }),
  );
  const imported = z.toJSONSchema(exportSchema, { io: "input", unrepresentable: "any" }) as JsonSchema;
  return [...bodies, ...arraysOf("POST /import", imported)];
}

function arraysOf(route: string, schema: JsonSchema): ArrayBody[] {
  return pathsOf(schema, []).map(({ keys, maxItems }) => ({
    route,
    array: keys.join(".").replaceAll(".[]", "[]"),
    maxItems,
    of: (count) => smallestValue(schema, keys, count),
  }));
}

/** Alternatives without null, which has no elements. */
const branchesOf = ({ anyOf, oneOf }: JsonSchema) => [...(anyOf ?? []), ...(oneOf ?? [])];

/** Returns the paths of all arrays: names of properties, and `[]` for the elements of an array. */
function pathsOf(schema: JsonSchema, keys: string[]): { keys: string[]; maxItems: number | undefined }[] {
  const own = schema.type === "array" ? [{ keys, maxItems: schema.maxItems }] : [];
  const properties = Object.entries(schema.properties ?? {});
  return [
    ...own,
    ...(schema.items ? pathsOf(schema.items, [...keys, "[]"]) : []),
    ...properties.flatMap(([name, property]) => pathsOf(property, [...keys, name])),
    ...branchesOf(schema).flatMap((branch) => pathsOf(branch, keys)),
  ];
}

/** Returns a valid value; the array at `keys` has `count` elements, the arrays around it have one. */
function smallestValue(schema: JsonSchema, keys: readonly string[] | undefined, count: number, at = 0): unknown {
  const branches = branchesOf(schema);
  if (branches.length > 0) {
    const holding = keys && branches.find((branch) => pathsOf(branch, []).length > 0);
    return smallestValue(holding ?? smallestOf(branches), keys, count, at);
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.type === "array") return elementsOf(schema, keys, count);
  if (schema.type === "object") return fieldsOf(schema, keys, count, at);
  // Distinct where elements of an array must be.
  if (schema.type === "integer" || schema.type === "number") return (schema.minimum ?? 0) + at;
  if (schema.type === "boolean") return false;
  if (schema.type === "string") return schema.format === "uuid" ? crypto.randomUUID() : `i${++ids}`;
  return null;
}

let ids = 0;

const smallestOf = (branches: readonly JsonSchema[]): JsonSchema =>
  branches.find(({ type }) => type === "null") ?? branches[0] ?? {};

function elementsOf(schema: JsonSchema, keys: readonly string[] | undefined, count: number): unknown[] {
  const { items = {}, minItems = 0 } = schema;
  if (!keys) return Array.from({ length: minItems }, (_, at) => smallestValue(items, undefined, 0, at));
  if (keys.length === 0) return Array.from({ length: count }, (_, at) => smallestValue(items, undefined, 0, at));
  return [smallestValue(items, keys.slice(1), count)];
}

function fieldsOf(
  { properties = {}, required = [] }: JsonSchema,
  keys: readonly string[] | undefined,
  count: number,
  at: number,
): Record<string, unknown> {
  const names = Object.keys(properties).filter((name) => required.includes(name) || name === keys?.[0]);
  const entries = names.map((name) => {
    const inner = name === keys?.[0] ? keys.slice(1) : undefined;
    // Of numbers only the position among the parts of a message must be distinct.
    return [name, smallestValue(properties[name] ?? {}, inner, count, name === "seq" ? at : 0)];
  });
  return Object.fromEntries(entries);
}
