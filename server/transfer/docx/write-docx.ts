import { Document, Packer } from "docx";
import { htmlToContent } from "docx/html";
import type { Element, Root } from "hast";
import { fromHtml } from "hast-util-from-html";
import { toHtml } from "hast-util-to-html";
import { setDirections } from "#contract/text/directions.ts";
import { docxStyles, MAX_PICTURE_PX, STYLE_MAP, STYLE_SHEET } from "./docx-styles.ts";

/** `html`: sanitised content of the body. `pictures`: the bytes of its pictures by their addresses. */
export type DocxContent = {
  title: string;
  author: string;
  html: string;
  pictures: ReadonlyMap<string, Uint8Array>;
};

/** Characters that XML 1.0 forbids. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const ILLEGAL = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
/** Longest address of a link in Word. */
const MAX_ADDRESS = 2083;

/** Returns a Word document. May take long for malicious HTML. */
export async function writeDocx({ title, author, html, pictures }: DocxContent): Promise<Uint8Array> {
  const tree = fromHtml(legalText(html), { fragment: true });
  prepare(tree);
  setDirections(tree);
  const children = htmlToContent(toHtml(tree, { closeSelfClosing: true }), {
    stylesheet: STYLE_SHEET,
    styleMap: STYLE_MAP,
    maxImageWidth: MAX_PICTURE_PX.width,
    images: (source) => pictures.get(source),
  });
  const [name, creator] = [legalText(title), legalText(author)];
  const written = new Document({
    title: name,
    creator,
    lastModifiedBy: creator,
    styles: docxStyles,
    sections: [{ children }],
  });
  return Packer.toBuffer(written);
}

const legalText = (text: string): string => text.toWellFormed().replaceAll(ILLEGAL, "");

/** Removes addresses that are too long for Word, and makes paragraphs of plain text, which have a direction. */
function prepare({ children }: Root | Element): void {
  for (const child of children) {
    if (child.type !== "element") continue;
    const { tagName, properties } = child;
    if (tagName === "a" && String(properties.href ?? "").length > MAX_ADDRESS) child.properties = {};
    const { className } = properties;
    if (tagName === "pre" && Array.isArray(className) && className.includes("plain")) child.tagName = "p";
    prepare(child);
  }
}
