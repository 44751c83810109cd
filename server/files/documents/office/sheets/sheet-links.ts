import { targetMark } from "../marks.ts";
import { attributeOf, localName, scanAddition } from "../scan-xml.ts";

/** Returns the target of a cell's link, to be added behind its text, "" if it has none. */
export type LinkOf = (cell: string | undefined, formula: string | undefined, shown: string) => string;

const ELEMENT = "hyperlinks";
const FORMULA = /^\s*HYPERLINK\(\s*"([^"]*)"/i;

/**
 * Returns a function for the links of a sheet's cells, which are behind all cells in its file, and for formulas that are
 * links.
 * @param addresses targets by the ids of their references
 */
export function sheetLinks(xml: string, addresses: ReadonlyMap<string, string>): LinkOf {
  const targets = new Map<string, string>();
  const end = xml.lastIndexOf(`${ELEMENT}>`);
  const start = end === -1 ? -1 : xml.lastIndexOf("<", xml.lastIndexOf(ELEMENT, end - 1));
  scanAddition(start === -1 ? "" : xml.slice(start, end), {
    open(name, attributes) {
      if (localName(name) !== "hyperlink") return;
      const target = addresses.get(attributeOf(attributes, "r:id") ?? "");
      // Of a range, its first cell has the text.
      const [cell = ""] = (attributeOf(attributes, "ref") ?? "").split(":", 1);
      if (target !== undefined) targets.set(cell, target);
    },
    close: () => undefined,
    text: () => undefined,
  });
  return (cell, formula, shown) => targetMark(targets.get(cell ?? "") ?? FORMULA.exec(formula ?? "")?.[1], shown);
}
