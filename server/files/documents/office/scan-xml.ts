import { BrokenDocument } from "../document-text.ts";

/** Receives an XML document in its order. An empty element is opened and closed. */
export type XmlHandler = {
  /** `attributes`: source text between the name and the end of the tag, for {@link attributeOf}. */
  open(name: string, attributes: string): void;
  close(name: string): void;
  /** Characters with their entities decoded. */
  text(text: string): void;
  /** Ends the scan early. */
  isDone?(): boolean;
};

/** Constructs without text: start, end. A CDATA section is text. */
const skipped = [
  ["<!--", "-->"],
  ["<?", "?>"],
] as const;
const CDATA = ["<![CDATA[", "]]>"] as const;

/**
 * Scans an XML document once from start to end. A DOM of it would take up to a hundred times its memory. Elements are
 * not checked for balance, and a document type is skipped: its entities are not expanded, so that no text grows.
 * @throws BrokenDocument if a tag or section has no end
 */
export function scanXml(xml: string, handler: XmlHandler): void {
  let at = 0;
  while (at < xml.length && handler.isDone?.() !== true) {
    const tag = xml.indexOf("<", at);
    const end = tag === -1 ? xml.length : tag;
    if (end > at) handler.text(decodeEntities(xml.slice(at, end)));
    at = tag === -1 ? end : scanMarkup(xml, tag, handler);
  }
}

/**
 * Scans an XML file that adds to a document, such as its styles, comments or charts, up to where it is damaged: the text
 * of the document is readable without it.
 */
export function scanAddition(xml: string, handler: XmlHandler): void {
  try {
    scanXml(xml, handler);
  } catch (error) {
    if (!(error instanceof BrokenDocument)) throw error;
  }
}

/** Scans what begins with `<` at a position. @returns the position behind it */
function scanMarkup(xml: string, at: number, handler: XmlHandler): number {
  for (const [start, end] of skipped) if (xml.startsWith(start, at)) return behind(xml, end, at + start.length);
  const [start, end] = CDATA;
  if (xml.startsWith(start, at)) {
    const next = behind(xml, end, at);
    handler.text(xml.slice(at + start.length, next - end.length));
    return next;
  }
  const next = endOfTag(xml, at);
  if (!xml.startsWith("<!", at)) scanTag(xml.slice(at + 1, next - 1), handler);
  return next;
}

function scanTag(tag: string, handler: XmlHandler): void {
  if (tag.startsWith("/")) {
    handler.close(tag.slice(1).trimEnd());
    return;
  }
  const isEmpty = tag.endsWith("/");
  const content = isEmpty ? tag.slice(0, -1) : tag;
  const blank = content.search(/\s/);
  const name = blank === -1 ? content : content.slice(0, blank);
  handler.open(name, blank === -1 ? "" : content.slice(blank));
  if (isEmpty) handler.close(name);
}

function behind(xml: string, end: string, from: number): number {
  const at = xml.indexOf(end, from);
  if (at === -1) throw new BrokenDocument(`No ${end}`);
  return at + end.length;
}

const QUOTES = /["'>[\]]/g;

/**
 * Returns the position behind a tag or document type that begins at `from`. A `>` in a quoted value does not end it,
 * nor one in the brackets of a document type.
 */
function endOfTag(xml: string, from: number): number {
  let depth = 0;
  QUOTES.lastIndex = from;
  for (let found = QUOTES.exec(xml); found; found = QUOTES.exec(xml)) {
    const [character] = found;
    if (character === ">" && depth <= 0) return found.index + 1;
    if (character === "[") depth++;
    else if (character === "]") depth--;
    else if (character !== ">") QUOTES.lastIndex = behind(xml, character, found.index + 1);
  }
  throw new BrokenDocument("A tag has no end");
}

/** An attribute, or something else without white space. It begins where the one before ends, so that all take linear time. */
const ATTRIBUTE = /\s*(?:([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')|\S+)/y;

/** Returns the value of an attribute by its name with its prefix. */
export function attributeOf(attributes: string, name: string): string | undefined {
  if (!attributes.includes(name)) return undefined;
  ATTRIBUTE.lastIndex = 0;
  for (let found = ATTRIBUTE.exec(attributes); found; found = ATTRIBUTE.exec(attributes)) {
    const [, key, double, single] = found;
    if (key === name) return decodeEntities(double ?? single ?? "");
  }
  return undefined;
}

/** Returns the name of an element without its prefix: some programs write `x:row` for `row`. */
export const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

/**
 * Returns a handler that receives a document without some elements and their content.
 * @param isSkipped decides about an element by its name and attributes
 */
export function withoutElements(
  handler: XmlHandler,
  isSkipped: (name: string, attributes: string) => boolean,
): XmlHandler {
  let skipped = "";
  let depth = 0;
  return {
    ...handler,
    open(name, attributes) {
      if (depth === 0 && !isSkipped(name, attributes)) {
        handler.open(name, attributes);
        return;
      }
      if (depth === 0) skipped = name;
      if (name === skipped) depth++;
    },
    close(name) {
      if (depth === 0) handler.close(name);
      else if (name === skipped) depth--;
    },
    text(text) {
      if (depth === 0) handler.text(text);
    },
  };
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const MAX_CODE_POINT = 0x10ffff;

/** Decodes the predefined entities and character references. All others stay as they are. */
function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (whole, hex, decimal, name) => {
    if (typeof name === "string") return entities[name] ?? whole;
    const code = typeof hex === "string" ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= MAX_CODE_POINT ? String.fromCodePoint(code) : "\uFFFD";
  });
}
