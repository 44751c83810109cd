import { BrokenDocument } from "../../documents/document-text.ts";
import { scanXml, type XmlHandler } from "../../documents/office/scan-xml.ts";

/** Elements without children, by name. */
export type XmlFields = ReadonlyMap<string, string>;

/** `fields`: those below the root. `items`: other elements below the root, with their own fields. */
export type XmlAnswer = { root: string; fields: XmlFields; items: { name: string; fields: XmlFields }[] };

/** Reads an answer of S3: its lists have two levels, and deeper elements are ignored. The root of no XML is empty. */
export function readXml(xml: string): XmlAnswer {
  const fields = new Map<string, string>();
  const items: { name: string; fields: Map<string, string> }[] = [];
  const path: string[] = [];
  let root = "";
  let text = "";
  const handler: XmlHandler = {
    open(name) {
      path.push(name);
      text = "";
      if (path.length === 1) root = name;
      else if (path.length === 2) items.push({ name, fields: new Map() });
    },
    close(name) {
      const item = items.at(-1);
      if (path.length === 2 && item?.fields.size === 0) {
        items.pop();
        fields.set(name, text);
      } else if (path.length === 3) item?.fields.set(name, text);
      path.pop();
    },
    text(piece) {
      text += piece;
    },
  };
  try {
    scanXml(xml, handler);
  } catch (error) {
    if (!(error instanceof BrokenDocument)) throw error;
    root = "";
  }
  return { root, fields, items };
}
