import { answerAttributes } from "./elements.ts";
import { oldElements } from "./old-elements.ts";

/** A tag in a text. `written`: its source; `name`: in lower case. */
export type Tag = { name: string; isEnd: boolean; attributes: string; written: string };

/** A tag with its attributes; bounded, so that many unclosed quotes take linear time. Group 1: `/`; 2: name; 3: attributes. */
const TAG = /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-z][^\s/<>]*)((?:"[^"]{0,2000}"|'[^']{0,2000}'|[^"'<>]){0,2000})>/gi;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+)))?/g;
/** Names of attributes whose property in hast has another one. */
const PROPERTIES: Partial<Record<string, string>> = {
  class: "className",
  colspan: "colSpan",
  rowspan: "rowSpan",
  datetime: "dateTime",
};
/** Attributes without a value; the others are then empty. */
const FLAGS = new Set(["open", "reversed"]);
const LANGUAGE = /^language-[\w+#.-]+$/;

/**
 * Splits HTML at the tags of `names`. Comments are dropped. Other names in angle brackets are text.
 * @returns texts as written, and tags, in their order
 */
export function splitAtTags(html: string, names: ReadonlySet<string>): (string | Tag)[] {
  const pieces: (string | Tag)[] = [];
  let text = "";
  let at = 0;
  for (const { 0: written, 1: end, 2: name, 3: attributes = "", index } of html.matchAll(TAG)) {
    text += html.slice(at, index);
    at = index + written.length;
    const known = name?.toLowerCase();
    if (known === undefined) continue;
    if (!names.has(known)) {
      text += written;
      continue;
    }
    if (text !== "") pieces.push(text);
    text = "";
    pieces.push({ name: known, isEnd: end === "/", attributes, written });
  }
  text += html.slice(at);
  return text === "" ? pieces : [...pieces, text];
}

/** Returns the allowed attributes of a tag as properties of hast. `decode` replaces character references. */
export function propertiesOf({ name, attributes }: Tag, decode: (text: string) => string): Record<string, unknown> {
  const old = oldElements.get(name);
  const allowed = new Set(
    [...(answerAttributes[old?.name ?? name] ?? []), ...(answerAttributes["*"] ?? [])].map((attribute) =>
      typeof attribute === "string" ? attribute : attribute[0],
    ),
  );
  const properties: Record<string, unknown> = old?.align ? { align: old.align } : {};
  for (const [, written = "", double, single, bare] of attributes.matchAll(ATTRIBUTE)) {
    const property = PROPERTIES[written.toLowerCase()] ?? written.toLowerCase();
    if (!allowed.has(property) || property in properties) continue;
    const value = double ?? single ?? bare ?? "";
    properties[property] = FLAGS.has(property) || readValue(property, decode(value));
  }
  return properties;
}

function readValue(property: string, value: string): unknown {
  if (property === "className") return value.split(/\s+/).filter((name) => LANGUAGE.test(name));
  return property === "align" ? value.toLowerCase() : value;
}
