import type { TextBuilder } from "../text-builder.ts";
import { relationshipsOf } from "./relationships.ts";
import { attributeOf, scanXml, withoutElements } from "./scan-xml.ts";
import { localName, unescaped } from "./workbook.ts";
import { decodeXml, type ZipEntries } from "./zip-entries.ts";

/** Adds the comments of a sheet's cells, below `[Comments]`: a line for each, after the name of its cell. */
export function addComments(entries: ZipEntries, path: string, text: TextBuilder): void {
  const related = relationshipsOf(entries, path);
  // A conversation has a comment of the old kind too, with a sentence for old programs above its text.
  const files = ["threadedComment", "comments"].map((type) => related.filter((found) => found.type === type));
  const used = files.find((found) => found.length > 0) ?? [];
  const lines = used.flatMap((file) => {
    const bytes = entries.get(file.path);
    return bytes ? commentsOf(decodeXml(bytes)) : [];
  });
  if (lines.length === 0) return;
  text.endLine();
  text.add(`[Comments]\n${lines.join("\n")}\n`);
}

function commentsOf(xml: string): string[] {
  const lines: string[] = [];
  let [cell, text, isText] = ["", "", false];
  const handler = {
    open(name: string, attributes: string) {
      const element = localName(name);
      if (element === "comment" || element === "threadedComment") {
        [cell, text] = [attributeOf(attributes, "ref") ?? "", ""];
      }
      isText = element === "t" || element === "text";
    },
    close(name: string) {
      const element = localName(name);
      isText = false;
      if (element !== "comment" && element !== "threadedComment") return;
      lines.push(`${cell}: ${unescaped(text).replaceAll(/\s+/g, " ").trim()}`);
    },
    text(characters: string) {
      if (isText) text += characters;
    },
  };
  scanXml(
    xml,
    withoutElements(handler, (name) => localName(name) === "rPh"),
  );
  return lines;
}
