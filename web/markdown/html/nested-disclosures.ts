import type { Root } from "mdast";
import type { Processor } from "unified";
import { nestDisclosures } from "#contract/text/disclosures.ts";

/** Remark plugin for disclosures in lists and quotes; reply-blocks.tsx renders those that are blocks of a reply. */
export function remarkDisclosures(this: Processor) {
  const parse = (markdown: string) => (this.parse(markdown) as Root).children;
  return (tree: Root) => nestDisclosures(tree, parse);
}
