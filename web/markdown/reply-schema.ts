import type { Root } from "hast";
import { type Schema, sanitize } from "hast-util-sanitize";
import { alertKinds } from "#contract/text/alerts.ts";
import { ALERT_TAG } from "./alerts.tsx";
import { SEAM_TAG } from "./seams.ts";

/** Allow-list of elements. None of them runs code, loads a resource, floats over the page or takes input. */
const tagNames = [
  ...["h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "section", "blockquote", "pre", "hr", "br", "figure"],
  ...["figcaption", "details", "summary", "ul", "ol", "li", "dl", "dt", "dd"],
  ...["table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td"],
  ...["a", "img", "span", "strong", "b", "em", "i", "u", "s", "del", "ins", "mark", "small", "sub", "sup", "code"],
  ...["kbd", "samp", "var", "q", "cite", "abbr", "dfn", "time", "bdi", "bdo", "wbr", "ruby", "rt", "rp"],
];

const cell = ["align", "colSpan", "rowSpan", "scope"];

const htmlSchema: Schema = {
  tagNames,
  attributes: {
    a: ["href"],
    code: [["className", /^language-/]],
    col: ["span"],
    colgroup: ["span"],
    details: ["open"],
    img: ["src", "alt"],
    li: ["value"],
    ol: ["start", "reversed"],
    td: cell,
    th: cell,
    time: ["dateTime"],
    "*": ["dir", "lang", "title"],
  },
  ancestors: {
    caption: ["table"],
    tbody: ["table"],
    td: ["table"],
    tfoot: ["table"],
    th: ["table"],
    thead: ["table"],
    tr: ["table"],
  },
  protocols: { href: ["http", "https", "mailto"], src: ["http", "https"] },
  // Removed with their content, which is not text of the reply; other unknown elements keep theirs.
  strip: ["script", "style", "template", "noscript", "iframe", "object", "svg", "math", "title", "textarea", "select"],
};

/** Also allows what Markdown generates: task lists, footnotes with prefixed ids, formulas as text, alerts, seam marks. */
const markdownSchema: Schema = {
  ...htmlSchema,
  tagNames: [...tagNames, "input", ALERT_TAG, SEAM_TAG],
  attributes: {
    ...htmlSchema.attributes,
    [ALERT_TAG]: [["kind", ...alertKinds]],
    a: ["href", "id", "ariaLabel"],
    code: [["className", /^language-/, "math-inline", "math-display"], "metastring"],
    input: [
      ["type", "checkbox"],
      ["disabled", true],
      ["checked", true],
    ],
    li: ["value", "id", ["className", "task-list-item"]],
    section: [["className", "footnotes"]],
    ul: [["className", "contains-task-list"]],
  },
  required: { input: { type: "checkbox", disabled: true } },
  clobber: [],
};

const clean = (tree: Root, schema: Schema): Root => {
  const safe = sanitize(tree, schema);
  return safe.type === "root" ? safe : { type: "root", children: safe.type === "doctype" ? [] : [safe] };
};

export const sanitizeHtml = (tree: Root): Root => clean(tree, htmlSchema);

/** Rehype plugin that sanitizes rendered Markdown. */
export const rehypeSafeMarkdown = () => (tree: Root) => clean(tree, markdownSchema);
