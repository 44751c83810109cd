/** For tests: a canonical form of rendered pages, to compare the output of two renderers. */

/** Returns the content of a node as text, with marks where an element begins and ends. */
export function canonical(page: Element): string {
  const parts: string[] = [];
  write(page, parts, false);
  return parts
    .join("")
    .replaceAll(
      /\s*(<\/?(?:p|h\d|ul|ol|li|blockquote|hr|pre|table|thead|tbody|tr|t[hd]|section|div)(?: [^>]*)?>)\s*/g,
      "$1",
    )
    .trim();
}

function write(parent: Element, parts: string[], isCode: boolean): void {
  for (const node of parent.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) parts.push(escaped(isCode ? (node.nodeValue ?? "") : collapsed(node)));
    else if (node instanceof Element) writeElement(node, parts, isCode);
  }
}

/** Drops the newline after a `br`, which adds nothing to the break. */
function collapsed(node: ChildNode): string {
  const text = (node.nodeValue ?? "").replaceAll(/[ \t]*\n[ \t]*/g, "\n");
  return node.previousSibling instanceof Element && node.previousSibling.localName === "br"
    ? text.replace(/^\n/, "")
    : text;
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function writeElement(element: Element, parts: string[], isCode: boolean): void {
  const name = element.localName;
  const attributes = [...element.attributes]
    .map(({ name: key, value }) => ` ${key}="${escaped(value)}"`)
    .sort()
    .join("");
  parts.push(`<${name}${attributes}>`);
  if (name === "pre") parts.push(escaped((element.textContent ?? "").replace(/\n$/, "")));
  else write(element, parts, isCode || name === "code");
  if (!["br", "hr", "img", "input"].includes(name)) parts.push(`</${name}>`);
}

/** Removes what the application adds to a reply's elements: frames of code and tables, and attributes of links. */
export function withoutFrames(page: Element): Element {
  for (const figure of page.querySelectorAll("figure.reply-code")) {
    const language = (figure instanceof HTMLElement && figure.dataset.language) || "";
    const pre = document.createElement("pre");
    if (language !== "" && language !== "text") pre.className = `language-${language}`;
    pre.textContent = figure.querySelector("pre")?.textContent ?? "";
    figure.replaceWith(pre);
  }
  for (const frame of page.querySelectorAll(".reply-table, div.reply, div.reply-continued")) {
    frame.replaceWith(...frame.childNodes);
  }
  for (const own of page.querySelectorAll(':is(ul, ol, blockquote, table)[dir="auto"]')) own.removeAttribute("dir");
  for (const heading of page.querySelectorAll("[aria-level]")) heading.removeAttribute("aria-level");
  for (const link of page.querySelectorAll("a")) {
    link.removeAttribute("target");
    link.removeAttribute("rel");
  }
  return page;
}
