import { Parser } from "htmlparser2";
import { isWithoutText, MarkupText } from "../../../text/markup-text.ts";
import { MAX_TEXT_CHARS, TooComplex } from "../document-text.ts";
import { pictureMark, targetMark } from "../office/marks.ts";

/** Depth of open elements, in which the parser takes quadratic time. Chromium's parser stops at 512. */
const MAX_DEPTH = 10_000;
/** In UTF-16 units: the parser ends between two pieces once the text is long enough. */
const PIECE = 64 * 1024;
/** The parser takes the end of a document type with declarations for text. */
const DECLARATIONS = /<!DOCTYPE[^<>[]*\[[^\]]*\]\s*>/i;
const START = 4096;
/** Addresses that lead out of the document. */
const IS_OUTSIDE = /^\s*(?:https?|mailto|tel):/i;
/** In UTF-16 units: more of a link's text is not compared. */
const MAX_LINK = 4000;

/**
 * Returns the text of HTML or XHTML as Markdown of headings, items and rows, with the targets of links and descriptions of
 * pictures. Nothing is loaded or run.
 * @throws TooComplex if elements are nested too deep
 */
export function htmlText(html: string): string {
  const text = new MarkupText();
  let depth = 0;
  /** Depth of the element without text that is open. */
  let skipped = 0;
  /** The link that is open: links do not contain others. */
  let link: { target: string; shown: string } | undefined;
  const endLink = () => {
    if (link) text.text(targetMark(link.target, link.shown));
    link = undefined;
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth++;
        if (depth > MAX_DEPTH) throw new TooComplex("Nested too deep");
        if (skipped > 0) return;
        if (isWithoutText(name)) skipped = depth;
        else text.open(name, attributes);
        if (name === "img") text.text(pictureMark(attributes.alt));
        if (name !== "a") return;
        endLink();
        if (IS_OUTSIDE.test(attributes.href ?? "")) link = { target: attributes.href ?? "", shown: "" };
      },
      onclosetag(name) {
        if (skipped === 0 && name === "a") endLink();
        if (skipped === 0) text.close(name);
        if (skipped === depth) skipped = 0;
        depth--;
      },
      ontext(characters) {
        if (skipped > 0) return;
        text.text(characters);
        if (link && link.shown.length < MAX_LINK) link.shown += characters;
      },
    },
    { decodeEntities: true, recognizeSelfClosing: true, recognizeCDATA: true },
  );
  const content = html.slice(0, START).replace(DECLARATIONS, "") + html.slice(START);
  for (let at = 0; at < content.length && text.length <= MAX_TEXT_CHARS; at += PIECE) {
    parser.write(content.slice(at, at + PIECE));
  }
  parser.end();
  return text.toString();
}
