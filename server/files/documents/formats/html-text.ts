import { Parser } from "htmlparser2";
import { isWithoutText, MarkupText } from "../../../text/markup-text.ts";
import { MAX_TEXT_CHARS, TooComplex } from "../document-text.ts";

/** Depth of open elements, in which the parser takes quadratic time. Chromium's parser stops at 512. */
const MAX_DEPTH = 10_000;
/** In UTF-16 units: the parser ends between two pieces once the text is long enough. */
const PIECE = 64 * 1024;
/** The parser takes the end of a document type with declarations for text. */
const DECLARATIONS = /<!DOCTYPE[^<>[]*\[[^\]]*\]\s*>/i;
const START = 4096;

/**
 * Returns the text of HTML or XHTML as Markdown of headings, items and rows. Nothing is loaded or run.
 * @throws TooComplex if elements are nested too deep
 */
export function htmlText(html: string): string {
  const text = new MarkupText();
  let depth = 0;
  /** Depth of the element without text that is open. */
  let skipped = 0;
  const parser = new Parser(
    {
      onopentagname(name) {
        depth++;
        if (depth > MAX_DEPTH) throw new TooComplex("Nested too deep");
        if (skipped > 0) return;
        if (isWithoutText(name)) skipped = depth;
        else text.open(name);
      },
      onclosetag(name) {
        if (skipped === 0) text.close(name);
        if (skipped === depth) skipped = 0;
        depth--;
      },
      ontext(characters) {
        if (skipped === 0) text.text(characters);
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
