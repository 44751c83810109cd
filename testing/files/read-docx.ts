import { unzipSync } from "fflate";

/** Relationship of a Word document to another file, or to an address. */
type Relation = { type: string; target: string; isExternal: boolean };

/** A Word document, as its XML. `relations`: of the text, by their ids. */
export type ReadDocx = {
  text: string;
  numbering: string;
  styles: string;
  core: string;
  names: readonly string[];
  entries: Readonly<Record<string, Uint8Array>>;
  relations: ReadonlyMap<string, Relation>;
};

/** Opens a Word document. */
export function readDocx(bytes: Uint8Array): ReadDocx {
  const entries = unzipSync(bytes);
  const xmlOf = (name: string) => new TextDecoder("utf-8", { fatal: true }).decode(entries[name]);
  const relations = new Map<string, Relation>();
  for (const [element] of xmlOf("word/_rels/document.xml.rels").matchAll(/<Relationship [^>]*>/g)) {
    const attributeOf = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(element)?.[1] ?? "";
    relations.set(attributeOf("Id"), {
      type: attributeOf("Type").replace(/^.*\//, ""),
      target: attributeOf("Target").replaceAll("&amp;", "&"),
      isExternal: attributeOf("TargetMode") === "External",
    });
  }
  return {
    text: xmlOf("word/document.xml"),
    numbering: xmlOf("word/numbering.xml"),
    styles: xmlOf("word/styles.xml"),
    core: xmlOf("docProps/core.xml"),
    names: Object.keys(entries),
    entries,
    relations,
  };
}

/** Returns the XML of the paragraphs of a document that contain these words as they are in XML. */
export function paragraphsWith({ text }: Pick<ReadDocx, "text">, words: string): string[] {
  return (text.match(/<w:p>(?:(?!<w:p>).)*?<\/w:p>/gs) ?? []).filter((paragraph) => paragraph.includes(words));
}
