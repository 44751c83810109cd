import { decodeNamedCharacterReference } from "decode-named-character-reference";
import type { Root } from "mdast";
import type { Processor } from "unified";
import { nestHtml } from "#contract/text/html/nest-html.ts";
import { maskInMarkdown, unmaskTree } from "#contract/text/html/other-names.ts";
import { decodeReferences } from "#contract/text/html/references.ts";

const decode = (text: string) => decodeReferences(text, decodeNamedCharacterReference);

/** Remark plugin that converts the HTML elements within Markdown to nodes. Other names in angle brackets are text. */
export function remarkHtml(this: Processor) {
  const { parser } = this;
  this.parser = (text, file) => {
    const tree = parser?.(maskInMarkdown(text), file) ?? { type: "root" };
    unmaskTree(tree);
    return tree;
  };
  return (tree: Root) => nestHtml(tree, decode);
}
