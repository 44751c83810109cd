import { TextBuilder } from "../../text-builder.ts";
import { type Relationship, relationshipsOf } from "../relationships.ts";
import { attributeOf, localName, scanAddition } from "../scan-xml.ts";
import { decodeXml, type ZipEntries } from "../zip-entries.ts";
import { chartText } from "./chart-text.ts";
import { extendedChartText } from "./extended-chart-text.ts";

/** Attributes that name the file of an embedded object, by the element that shows it. */
const references: Readonly<Record<string, { attribute: string; textOf: (xml: string) => string }>> = {
  "c:chart": { attribute: "r:id", textOf: chartText },
  "cx:chart": { attribute: "r:id", textOf: extendedChartText },
  "dgm:relIds": { attribute: "r:dm", textOf: diagramText },
};

/** Returns the text of the object that an element shows, by its name and attributes. */
export type EmbeddedText = (name: string, attributes: string) => string;

/** Adds a text in lines of its own, if there is one. */
export function addLines(lines: string, text: TextBuilder): void {
  if (lines === "") return;
  text.endLine();
  text.add(`${lines}\n`);
}

/**
 * Returns a function that returns the text of the chart or diagram (SmartArt) that an element shows, "" for others.
 * Each is read once.
 * @param path of the file that has the elements
 * @param shown receives the paths of the objects that are read
 */
export function embeddedReader(entries: ZipEntries, path: string, shown = new Set<string>()): EmbeddedText {
  let related: Relationship[] | undefined;
  const texts = new Map<string, string>();
  return (name, attributes) => {
    const reference = references[name];
    if (!reference) return "";
    related ??= relationshipsOf(entries, path);
    const id = attributeOf(attributes, reference.attribute);
    const file = related.find((relationship) => relationship.id === id)?.path ?? "";
    const bytes = entries.get(file);
    const text = texts.get(file) ?? (bytes ? reference.textOf(decodeXml(bytes)) : "");
    texts.set(file, text);
    shown.add(file);
    return text;
  };
}

/**
 * Adds the words of the diagrams that a file refers to, but that no element of it shows.
 * @param shown paths of the others
 */
export function addOtherDiagrams(
  entries: ZipEntries,
  { path, shown }: { path: string; shown: Set<string> },
  text: TextBuilder,
): void {
  for (const { type, path: file } of relationshipsOf(entries, path)) {
    const bytes = entries.get(file);
    if (type !== "diagramData" || shown.has(file) || !bytes || text.isFull) continue;
    shown.add(file);
    addLines(diagramText(decodeXml(bytes)), text);
  }
}

/** Returns the words of a diagram: a line for a paragraph. */
function diagramText(xml: string): string {
  const text = new TextBuilder();
  let isText = false;
  scanAddition(xml, {
    isDone: () => text.isFull,
    open(name) {
      isText = localName(name) === "t" && name.startsWith("a:");
    },
    close(name) {
      isText = false;
      if (name === "a:p") text.endLine();
    },
    text(characters) {
      if (isText) text.add(characters);
    },
  });
  const words = text.toString();
  return words === "" ? "" : `[Diagram]\n${words}`;
}

/** Returns the texts of all charts and diagrams of a drawing of a workbook's sheet. */
export function drawingTexts(entries: ZipEntries, path: string): string[] {
  const texts: string[] = [];
  for (const drawing of relationshipsOf(entries, path).filter(({ type }) => type === "drawing")) {
    const bytes = entries.get(drawing.path);
    const textOf = embeddedReader(entries, drawing.path);
    if (!bytes) continue;
    scanAddition(decodeXml(bytes), {
      open(name, attributes) {
        const text = textOf(name, attributes);
        if (text !== "") texts.push(text);
      },
      close: () => undefined,
      text: () => undefined,
    });
  }
  return texts;
}
