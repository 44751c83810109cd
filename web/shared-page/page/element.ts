import { ANSWER_LEAF, QUESTION_LEAF } from "../../ui/logo-outlines.ts";

const MATHML = "http://www.w3.org/1998/Math/MathML";
const SVG = "http://www.w3.org/2000/svg";

type Attributes = Readonly<Record<string, string>>;

/** Creates an element of HTML with attributes and children. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) created.setAttribute(attribute, value);
  created.append(...children);
  return created;
}

export const mathsElement = (name: string): Element => document.createElementNS(MATHML, name);

/** Outlines of icons of Lucide, on a grid of 24 units. */
const outlines = {
  copy: [
    "M8 10a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2z",
    "M4 16a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2",
  ],
  done: ["M20 6 9 17l-5-5"],
  file: ["M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7z", "M14 2v4a2 2 0 0 0 2 2h4"],
  download: ["M12 15V3", "M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4", "m7 10 5 5 5-5"],
} as const;

/** Creates an icon. `label`: its words for screen readers, which skip an icon without. */
export const icon = (name: keyof typeof outlines, label?: string): Element => drawing("icon", outlines[name], label);

/** Creates the logo without the product's name. */
export const logo = (): Element => drawing("logo", [QUESTION_LEAF, ANSWER_LEAF]);

function drawing(className: string, paths: readonly string[], label?: string): Element {
  const created = document.createElementNS(SVG, "svg");
  const words: Attributes = label === undefined ? { "aria-hidden": "true" } : { role: "img", "aria-label": label };
  const attributes = { class: className, viewBox: "0 0 24 24", ...words };
  for (const [attribute, value] of Object.entries(attributes)) created.setAttribute(attribute, value);
  for (const outline of paths) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", outline);
    created.append(path);
  }
  return created;
}
