import type { Element, ElementContent, Root } from "hast";
import { type Schema, sanitize } from "hast-util-sanitize";
import { toHtml } from "hast-util-to-html";
import type { Heading, Html, Image, ImageReference } from "mdast";
import remarkBreaks from "remark-breaks";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype, { defaultHandlers, type Options } from "remark-rehype";
import { unified } from "unified";
import { type AlertKind, markAlerts } from "#contract/text/alerts.ts";

const cell = ["align"];

/** Allowlist of elements and attributes of a printed message: nothing that executes, loads or takes input. */
const schema: Schema = {
  tagNames: [
    ...["h1", "h2", "h3", "h4", "h5", "h6", "p", "blockquote", "pre", "hr", "br", "ul", "ol", "li", "section"],
    ...["table", "thead", "tbody", "tr", "th", "td", "a", "strong", "em", "del", "sup", "code", "input"],
  ],
  attributes: {
    a: ["href"],
    input: [
      ["type", "checkbox"],
      ["disabled", true],
      ["checked", true],
    ],
    blockquote: [["className", "alert"]],
    ol: ["start"],
    td: cell,
    th: cell,
  },
  required: { input: { type: "checkbox", disabled: true } },
  protocols: { href: ["http", "https", "mailto"] },
};

const PROTOCOLS = new Set(["http:", "https:", "mailto:"]);

const text = (value: string): ElementContent => ({ type: "text", value });
const link = (href: string, words: string): Element => ({
  type: "element",
  tagName: "a",
  properties: { href },
  children: [text(words)],
});

/**
 * Handlers that differ from the defaults. Images become links, because they would load from elsewhere. HTML is shown as
 * text. A Setext heading is a paragraph and a rule, as on the screen; an ATX heading ends with its line.
 */
const handlers: NonNullable<Options["handlers"]> = {
  heading: (state, node: Heading) => {
    if (node.position?.start.line === node.position?.end.line) return defaultHandlers.heading(state, node);
    const rule: Element = { type: "element", tagName: "hr", properties: {}, children: [] };
    return [defaultHandlers.paragraph(state, { type: "paragraph", children: node.children }), rule];
  },
  html: (_: unknown, { value }: Html) => text(value),
  image: (_: unknown, { url, alt }: Image) => link(url, alt || url),
  imageReference: (_: unknown, { alt }: ImageReference) => text(alt ?? ""),
};

const alertTitles: Record<AlertKind, string> = {
  note: "Note",
  tip: "Tip",
  important: "Important",
  warning: "Warning",
  caution: "Caution",
};

type Tree = Parameters<typeof markAlerts>[0];

/** Remark plugin that gives GitHub's alerts a class and a title. Must run before line breaks become nodes. */
const remarkAlerts = () => (tree: Tree, file: { value: unknown }) =>
  markAlerts(tree, String(file.value), (quote, kind) => {
    const name = { type: "strong", children: [{ type: "text", value: alertTitles[kind] }] };
    quote.children = [{ type: "paragraph", children: [name] }, ...(quote.children ?? [])];
    Object.assign(quote, { data: { hProperties: { className: ["alert"] } } });
  });

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkAlerts)
  .use(remarkBreaks)
  .use(remarkRehype, { handlers });

/** Renders Markdown as sanitised HTML, which is harmless in any page. May take long for malicious texts. */
export function renderMarkdown(markdown: string): string {
  const tree = sanitize(processor.runSync(processor.parse(markdown), markdown), schema) as Root;
  linksOnly(tree);
  return toHtml(tree, { closeSelfClosing: true });
}

/** Restricts links to http, https and mailto. A relative link would resolve against the location of the file. */
function linksOnly({ children }: Root | Element): void {
  for (const child of children) {
    if (child.type !== "element") continue;
    if (child.tagName === "a") {
      const url = URL.parse(String(child.properties.href ?? ""));
      child.properties = url && PROTOCOLS.has(url.protocol) ? { href: url.href, rel: ["noopener", "noreferrer"] } : {};
    }
    linksOnly(child);
  }
}
