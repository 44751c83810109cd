import { field, isRecord, textField } from "../../text/wire-json.ts";
import type { StoredTool } from "../stored-tool.ts";
import { hasValidHeaders } from "./parameter-headers.ts";

const NAME_MAX = 128;
const TITLE_MAX = 200;
const DESCRIPTION_MAX = 2000;
/** In UTF-16 units of JSON. */
const SCHEMA_MAX = 32_000;
const SCHEMA_DEPTH = 20;

/** `leftOut`: names of the tools that cannot be offered. */
export type ConvertedTools = { tools: StoredTool[]; leftOut: string[] };

/** Converts tools as a server lists them. `hasHeaders`: the revision and the transport send parameters as headers. */
export function toStoredTools(listed: readonly unknown[], { hasHeaders }: { hasHeaders: boolean }): ConvertedTools {
  const tools = new Map<string, StoredTool>();
  const leftOut: string[] = [];
  for (const each of listed) {
    const tool = toStoredTool(each, hasHeaders);
    if (tool && !tools.has(tool.name)) tools.set(tool.name, tool);
    else leftOut.push(textField(each, "name").slice(0, NAME_MAX));
  }
  return { tools: [...tools.values()], leftOut };
}

function toStoredTool(listed: unknown, hasHeaders: boolean): StoredTool | undefined {
  const name = textField(listed, "name");
  const inputSchema = field(listed, "inputSchema");
  if (name === "" || name.length > NAME_MAX || !isSmallSchema(inputSchema)) return undefined;
  if ((inputSchema.type ?? "object") !== "object" || (hasHeaders && !hasValidHeaders(inputSchema))) return undefined;
  const annotations = field(listed, "annotations");
  const title = textField(listed, "title") || textField(annotations, "title");
  const task = textField(field(listed, "execution"), "taskSupport");
  return {
    name,
    ...(title !== "" && { title: cut(title, TITLE_MAX) }),
    description: cut(textField(listed, "description"), DESCRIPTION_MAX),
    inputSchema,
    hints: {
      ...hint("readOnly", field(annotations, "readOnlyHint")),
      ...hint("destructive", field(annotations, "destructiveHint")),
      ...hint("idempotent", field(annotations, "idempotentHint")),
    },
    ...((task === "optional" || task === "required") && { task }),
  };
}

/** Schemas are never compiled, and their references never resolved: they are data for the model. */
const isSmallSchema = (schema: unknown): schema is Record<string, unknown> =>
  isRecord(schema) && isWithin(schema, SCHEMA_DEPTH) && JSON.stringify(schema).length <= SCHEMA_MAX;

/** Returns whether a JSON value has at most this depth. */
function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((each) => isWithin(each, depth - 1));
}

const hint = (name: keyof StoredTool["hints"], value: unknown) => (typeof value === "boolean" ? { [name]: value } : {});

const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed();
