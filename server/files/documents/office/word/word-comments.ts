import { commentMark } from "../marks.ts";
import { attributeOf, scanAddition, withoutElements } from "../scan-xml.ts";

const skipped: ReadonlySet<string> = new Set(["w:pPr", "w:rPr", "w:del", "w:moveFrom", "mc:Fallback"]);

/** Returns the marks of the comments of a Word document by their ids. @param xml of `comments.xml`, "" if there is none */
export function wordComments(xml: string): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  let [id, author, words, isText] = ["", "", "", false];
  const handler = {
    open(name: string, attributes: string) {
      if (name === "w:comment") {
        id = attributeOf(attributes, "w:id") ?? "";
        author = attributeOf(attributes, "w:author") ?? "";
        words = "";
      }
      isText = name === "w:t";
      if (name === "w:tab" || name === "w:br") words += " ";
    },
    close(name: string) {
      isText = false;
      if (name === "w:p") words += " ";
      else if (name === "w:comment") marks.set(id, commentMark(author, words));
    },
    text(characters: string) {
      if (isText) words += characters;
    },
  };
  scanAddition(
    xml,
    withoutElements(handler, (name) => skipped.has(name)),
  );
  return marks;
}
