import {
  FORM_FIELDS_MAX,
  FORM_OPTIONS_MAX,
  type FormField,
  type FormValue,
  type ToolForm,
} from "#contract/conversation/tool-forms.ts";
import { field, isRecord, textField } from "../../text/wire-json.ts";

const MESSAGE_MAX = 4000;
const LABEL_MAX = 500;
const URL_MAX = 4000;
const FORMATS = new Set(["email", "uri", "date", "date-time"]);

/**
 * Converts the parameters of `elicitation/create` to a form.
 * @returns undefined if they ask by anything else than fields of primitive types, or a page of http or https
 */
export function toForm(key: string, parameters: unknown): ToolForm | undefined {
  const message = cut(textField(parameters, "message"), MESSAGE_MAX);
  if (textField(parameters, "mode") === "url") {
    const url = URL.parse(textField(parameters, "url"));
    const isPage = url !== null && ["http:", "https:"].includes(url.protocol) && url.href.length <= URL_MAX;
    return isPage ? { key, message, url: url.href, fields: [] } : undefined;
  }
  const schema = field(parameters, "requestedSchema");
  const properties = field(schema, "properties");
  const required = field(schema, "required");
  const entries = isRecord(properties) ? Object.entries(properties) : [];
  if (!isRecord(schema) || entries.length > FORM_FIELDS_MAX) return undefined;
  const fields = entries.map(([name, property]) =>
    toField(name, property, Array.isArray(required) && required.includes(name)),
  );
  return fields.every((each) => each !== undefined) ? { key, message, fields } : undefined;
}

function toField(name: string, property: unknown, isRequired: boolean): FormField | undefined {
  const [title, description] = [textField(property, "title"), textField(property, "description")];
  const base = {
    name,
    isRequired,
    ...(title !== "" && { title: cut(title, LABEL_MAX) }),
    ...(description !== "" && { description: cut(description, MESSAGE_MAX) }),
    ...defaultOf(field(property, "default")),
  };
  switch (textField(property, "type")) {
    case "boolean":
      return { ...base, kind: "boolean" };
    case "number":
      return { ...base, kind: "number", ...bounds(property, ["minimum", "maximum"]) };
    case "integer":
      return { ...base, kind: "integer", ...bounds(property, ["minimum", "maximum"]) };
    case "string":
      return toTextField(base, property);
    case "array": {
      const options = optionsOf(field(property, "items"), "anyOf");
      return options && { ...base, kind: "choices", options, ...bounds(property, ["minItems", "maxItems"]) };
    }
    default:
      return undefined;
  }
}

function toTextField(base: Omit<FormField, "kind">, property: unknown): FormField | undefined {
  const isChoice = field(property, "enum") !== undefined || field(property, "oneOf") !== undefined;
  if (isChoice) {
    const options = optionsOf(property, "oneOf");
    return options && { ...base, kind: "choice", options };
  }
  const format = textField(property, "format");
  return {
    ...base,
    kind: "text",
    ...(FORMATS.has(format) && { format }),
    ...bounds(property, ["minLength", "maxLength"]),
  };
}

/** Returns the options of `enum`, with labels in `enumNames` where a server of an older revision has them, or of titles. */
function optionsOf(schema: unknown, titled: "oneOf" | "anyOf"): FormField["options"] | undefined {
  const [values, names, pairs] = [field(schema, "enum"), field(schema, "enumNames"), field(schema, titled)];
  const listed = Array.isArray(values)
    ? values.map((value, index) => ({ value, label: Array.isArray(names) ? names[index] : value }))
    : (Array.isArray(pairs) ? pairs : []).map((pair) => ({ value: field(pair, "const"), label: field(pair, "title") }));
  if (listed.length === 0 || listed.length > FORM_OPTIONS_MAX) return undefined;
  const options = listed.flatMap(({ value, label }) =>
    typeof value === "string" ? [{ value, label: cut(typeof label === "string" ? label : value, LABEL_MAX) }] : [],
  );
  return options.length === listed.length ? options : undefined;
}

type Bound = "minimum" | "maximum" | "minLength" | "maxLength" | "minItems" | "maxItems";

function bounds(schema: unknown, names: readonly Bound[]): Partial<Record<Bound, number>> {
  return Object.fromEntries(
    names.map((name) => [name, field(schema, name)]).filter(([, value]) => isFiniteNumber(value)),
  );
}

const isFiniteNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

function defaultOf(value: unknown): { default?: FormValue } {
  if (typeof value === "string") return { default: cut(value, MESSAGE_MAX) };
  if (typeof value === "boolean" || isFiniteNumber(value)) return { default: value };
  const isList = Array.isArray(value) && value.length <= FORM_OPTIONS_MAX;
  return isList && value.every((each) => typeof each === "string") ? { default: value } : {};
}

const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed();
