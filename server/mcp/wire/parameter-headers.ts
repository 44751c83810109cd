import { isRecord } from "../../text/wire-json.ts";

/** Field of a schema of a parameter that is also sent as a header `Mcp-Param-…` (revision 2026-07-28). */
const HEADER = "x-mcp-header";
/** A token of RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES = new Set(["string", "integer", "boolean"]);

/**
 * Returns whether a schema declares its headers as the revision demands: on parameters of primitive types that are
 * reached by `properties` alone, with names that are tokens and differ in more than case.
 */
export function hasValidHeaders(schema: Record<string, unknown>): boolean {
  const names = new Set<string>();
  return areValid(schema, { isParameter: false, isReachable: true }, names);
}

type Position = { isParameter: boolean; isReachable: boolean };

function areValid(node: unknown, { isParameter, isReachable }: Position, names: Set<string>): boolean {
  if (Array.isArray(node))
    return node.every((each) => areValid(each, { isParameter: false, isReachable: false }, names));
  if (!isRecord(node)) return true;
  if (Object.hasOwn(node, HEADER) && !(isParameter && isReachable && isValidName(node, names))) return false;
  return Object.entries(node).every(([key, value]) => {
    if (key !== "properties" || !isRecord(value)) {
      // Values of these keywords are data, not schemas.
      return key === "default" || key === "const" || key === "enum" || key === "examples"
        ? true
        : areValid(value, { isParameter: false, isReachable: false }, names);
    }
    return Object.values(value).every((each) => areValid(each, { isParameter: true, isReachable }, names));
  });
}

function isValidName(parameter: Record<string, unknown>, names: Set<string>): boolean {
  const { [HEADER]: name, type } = parameter;
  if (typeof name !== "string" || !TOKEN.test(name) || typeof type !== "string" || !TYPES.has(type)) return false;
  const isNew = !names.has(name.toLowerCase());
  names.add(name.toLowerCase());
  return isNew;
}
