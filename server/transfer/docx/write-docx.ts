import { Document, Packer } from "docx";
import { htmlToContent } from "docx/html";
import { fromHtml } from "hast-util-from-html";
import { toHtml } from "hast-util-to-html";
import { setDirections } from "#contract/text/directions.ts";
import { docxStyles, MAX_PICTURE_PX, STYLE_MAP, STYLE_SHEET } from "./docx-styles.ts";
import { prepareTree } from "./docx-tree.ts";
import { RewrittenBlock } from "./docx-xml.ts";

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

/** Returns a Word document. May take long for malicious HTML. */
export async function writeDocx({ title, author, html, pictures }: DocxContent): Promise<Uint8Array> {
  const tree = fromHtml(legalText(html), { fragment: true });
  prepareTree(tree);
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
    sections: [{ children: children.map((block) => new RewrittenBlock(block)) }],
  });
  return Packer.toBuffer(written);
}

const legalText = (text: string): string => text.toWellFormed().replaceAll(ILLEGAL, "");
