import { FileChild, type IContext } from "docx";
import { simplifyMaths } from "./docx-maths.ts";
import { LINE } from "./docx-styles.ts";
import { childrenOf, nameOf, type XmlElement, type XmlNode } from "./xml-nodes.ts";

/** Block of a document whose XML is changed where Word or LibreOffice needs another. */
export class RewrittenBlock extends FileChild {
  readonly #block: FileChild;

  constructor(block: FileChild) {
    super("w:p");
    this.#block = block;
  }

  override prepForXml(context: IContext): ReturnType<FileChild["prepForXml"]> {
    const written = this.#block.prepForXml(context) as XmlElement | undefined;
    return written && rewrite(written, true);
  }
}

/** @param isBlock whether the element is in no table */
function rewrite(element: XmlElement, isBlock: boolean): XmlElement {
  const [name = "", content] = Object.entries(element)[0] ?? [];
  if (!Array.isArray(content)) return element;
  const children = content as readonly XmlNode[];
  if (name === "m:oMath") return { [name]: simplifyMaths(children) };
  if (name === "w:tblBorders") return { [name]: children.map(inColour) };
  const isInTable = name === "w:tbl";
  const rewritten = children.map((child) =>
    typeof child === "string" ? child : rewrite(child, isBlock && !isInTable),
  );
  return { [name]: name === "w:p" && isBlock && isEquation(children) ? rewritten.map(displayed) : rewritten };
}

/** Returns whether a paragraph is one equation, and no item of a list. */
function isEquation(children: readonly XmlNode[]): boolean {
  const content = children.filter((child) => nameOf(child) !== "w:pPr");
  const properties = children.find((child) => nameOf(child) === "w:pPr");
  const isItem = childrenOf(properties).some((child) => nameOf(child) === "w:numPr");
  return !isItem && content.length === 1 && content.every((child) => nameOf(child) === "m:oMath");
}

/** Word centres an equation in a paragraph of its own, and does not shrink its fractions, if it has this element. */
const displayed = (node: XmlNode): XmlNode => (nameOf(node) === "m:oMath" ? { "m:oMathPara": [node] } : node);

/** Returns the border of a table in the colour of lines. */
function inColour(border: XmlNode): XmlNode {
  const [name = "", content] = Object.entries(border)[0] ?? [];
  const { _attr: attributes = {} } = content as { _attr?: object };
  return { [name]: { _attr: { ...attributes, "w:color": LINE } } };
}
