import type { TextBuilder } from "../../text-builder.ts";
import { relationshipsOf } from "../relationships.ts";
import { attributeOf, localName, scanXml, withoutElements } from "../scan-xml.ts";
import { decodeXml, type ZipEntries } from "../zip-entries.ts";
import { unescaped } from "./workbook.ts";

/** Adds the comments of a sheet's cells, below `[Comments]`: a line for each, after the name of its cell. */
export function addComments(entries: ZipEntries, path: string, text: TextBuilder): void {
  const related = relationshipsOf(entries, path);
  const commentsIn = (kind: string) =>
    related
      .filter(({ type }) => type === kind)
      .flatMap((file) => commentsOf(decodeXml(entries.get(file.path) ?? new Uint8Array())));
  const conversations = commentsIn("threadedComment");
  // A conversation has a comment of the old kind too, with a sentence for old programs above its text.
  const cells = new Set(conversations.map(({ cell }) => cell));
  const comments = [...conversations, ...commentsIn("comments").filter(({ cell }) => !cells.has(cell))];
  if (comments.length === 0) return;
  text.endLine();
  text.add(`[Comments]\n${comments.map(({ cell, words }) => `${cell}: ${words}`).join("\n")}\n`);
}

function commentsOf(xml: string): { cell: string; words: string }[] {
  const comments: { cell: string; words: string }[] = [];
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
      comments.push({ cell, words: unescaped(text).replaceAll(/\s+/g, " ").trim() });
    },
    text(characters: string) {
      if (isText) text += characters;
    },
  };
  scanXml(
    xml,
    withoutElements(handler, (name) => localName(name) === "rPh"),
  );
  return comments;
}
