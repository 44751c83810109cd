import type { Root } from "hast";
import { type Schema, sanitize } from "hast-util-sanitize";
import { alertKinds } from "#contract/text/alerts.ts";
import { answerAncestors, answerAttributes, answerElements, droppedElements } from "#contract/text/html/elements.ts";
import { renameOldElements } from "#contract/text/html/old-elements.ts";
import { repairNesting } from "#contract/text/html/repair-nesting.ts";
import { ALERT_TAG } from "./alerts.tsx";
import { SEAM_TAG } from "./seams.ts";
import { MARK_TAG } from "./text-marks.ts";

const htmlSchema: Schema = {
  tagNames: [...answerElements],
  attributes: answerAttributes,
  ancestors: answerAncestors,
  protocols: { href: ["http", "https", "mailto"], src: ["http", "https"] },
  // Other unknown elements keep their content.
  strip: [...droppedElements],
};

/** Also allows what Markdown generates: task lists, footnotes with prefixed ids, formulas as text, alerts, seam marks, marks of citations. */
const markdownSchema: Schema = {
  ...htmlSchema,
  tagNames: [...answerElements, "input", ALERT_TAG, SEAM_TAG, MARK_TAG],
  attributes: {
    ...htmlSchema.attributes,
    [ALERT_TAG]: [["kind", ...alertKinds]],
    [MARK_TAG]: ["at"],
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
  const root: Root = safe.type === "root" ? safe : { type: "root", children: safe.type === "doctype" ? [] : [safe] };
  repairNesting(root, [ALERT_TAG]);
  return root;
};

export function sanitizeHtml(tree: Root): Root {
  renameOldElements(tree);
  return clean(tree, htmlSchema);
}

/** Rehype plugin that sanitizes rendered Markdown. */
export const rehypeSafeMarkdown = () => (tree: Root) => clean(tree, markdownSchema);
