import type { ToolArguments } from "./tool.ts";
import { ToolInputError } from "./tool-input-error.ts";

/** Returns a text of the arguments; undefined if it is absent or empty. @throws ToolInputError for another type */
export function optionalText(given: ToolArguments, name: string): string | undefined {
  const value = given[name];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string") throw new ToolInputError(`The argument “${name}” must be a text.`);
  return value;
}

/** Returns a text of the arguments. @throws ToolInputError if it is absent, empty or of another type */
export function requiredText(given: ToolArguments, name: string): string {
  const value = optionalText(given, name);
  if (value === undefined) throw new ToolInputError(`The argument “${name}” is missing.`);
  return value;
}

/** Returns a whole number from 1 of the arguments; undefined if it is absent. @throws ToolInputError for another value */
export function optionalNumber(given: ToolArguments, name: string): number | undefined {
  const value = given[name];
  if (value === undefined || value === null) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1)
    throw new ToolInputError(`The argument “${name}” must be a whole number.`);
  return number;
}
