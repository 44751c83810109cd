import type { Root } from "hast";
import { fromHtml } from "hast-util-from-html";
import { maskInHtml, unmaskTree } from "#contract/text/html/other-names.ts";
import { sanitizeHtml } from "../reply-schema.ts";

/** Parses an answer that is HTML to a sanitised tree. */
export function parseHtml(html: string): Root {
  const parsed = fromHtml(maskInHtml(html), { fragment: true });
  unmaskTree(parsed);
  return sanitizeHtml(parsed);
}
