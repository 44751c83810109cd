import type { Element, Nodes, Root } from "hast";
import { alertKinds } from "#contract/text/alerts.ts";
import { voidElements } from "#contract/text/html/elements.ts";
import { i18n } from "../../locales/i18n.ts";
import { safeLink } from "../../ui/safe-link.ts";
import { ALERT_TAG } from "../alerts.tsx";

const MONOSPACE = "font-family:Consolas,'Courier New',monospace";
const CELL = "border:1px solid #bfbfbf;padding:4px 8px;vertical-align:top";
const QUOTE = "border-left:3px solid #bfbfbf;margin:0 0 12px;padding-left:12px";

/** Inline styles: office programs and mails ignore style sheets. */
const STYLES: Partial<Record<string, string>> = {
  h1: "font-size:18pt;font-weight:bold;margin:18px 0 8px",
  h2: "font-size:15pt;font-weight:bold;margin:16px 0 8px",
  h3: "font-size:13pt;font-weight:bold;margin:14px 0 6px",
  h4: "font-size:11pt;font-weight:bold;margin:12px 0 6px",
  h5: "font-size:11pt;font-weight:bold;margin:12px 0 6px",
  h6: "font-size:11pt;font-weight:bold;margin:12px 0 6px",
  p: "margin:0 0 12px",
  pre: `${MONOSPACE};font-size:10pt;background:#f5f3ef;border:1px solid #dedad3;padding:8px 12px;margin:0 0 12px;white-space:pre-wrap`,
  code: `${MONOSPACE};font-size:10pt;background:#f5f3ef`,
  kbd: MONOSPACE,
  samp: MONOSPACE,
  blockquote: QUOTE,
  table: "border-collapse:collapse;margin:0 0 12px",
  th: `${CELL};background:#f5f3ef;font-weight:bold;text-align:start`,
  td: CELL,
  hr: "border:0;border-top:1px solid #bfbfbf;margin:18px 0",
};

/** Attributes that are copied, by their property of hast. */
const ATTRIBUTES: Partial<Record<string, string>> = {
  ...{ dir: "dir", lang: "lang", align: "align", start: "start", value: "value" },
  ...{ colSpan: "colspan", rowSpan: "rowspan", reversed: "reversed" },
};

/** Returns a sanitised tree as HTML with inline styles, to be pasted into other programs. */
export const styledHtml = (tree: Root): string => tree.children.map((node) => write(node)).join("");

function write(node: Nodes, isInPre = false): string {
  if (node.type === "text") return escaped(node.value);
  return node.type === "element" ? writeElement(node, isInPre) : "";
}

function writeElement(node: Element, isInPre: boolean): string {
  const { tagName, properties, children } = node;
  const inner = () => children.map((child) => write(child, isInPre || tagName === "pre")).join("");
  if (tagName === "input") return properties.checked ? "☑ " : "☐ ";
  if (tagName === "a" || tagName === "img") return writeLink(node, inner);
  if (tagName === ALERT_TAG) return writeAlert(node, inner());
  if (tagName === "details") return `<div>${inner()}</div>`;
  if (tagName === "summary") return `<p style="${STYLES.p}"><b>${inner()}</b></p>`;
  const style = tagName === "code" && isInPre ? MONOSPACE : STYLES[tagName];
  const tag = `${tagName}${attributesOf(node)}${style ? ` style="${style}${alignOf(node)}"` : ""}`;
  return voidElements.has(tagName) ? `<${tag}>` : `<${tag}>${inner()}</${tagName}>`;
}

function writeLink({ tagName, properties }: Element, inner: () => string): string {
  const address = safeLink(tagName === "a" ? properties.href : properties.src);
  const words = tagName === "a" ? inner() : escaped(String(properties.alt || address || ""));
  return address === null ? words : `<a href="${escaped(address)}" style="color:#1d6b6b">${words}</a>`;
}

function writeAlert({ properties }: Element, inner: string): string {
  const kind = alertKinds.find((known) => known === properties.kind) ?? "note";
  return `<blockquote style="${QUOTE}"><p style="${STYLES.p}"><b>${escaped(i18n.t(`replies:alerts.${kind}`))}</b></p>${inner}</blockquote>`;
}

function attributesOf({ properties }: Element): string {
  return Object.entries(properties)
    .flatMap(([property, value]) => {
      const name = ATTRIBUTES[property];
      if (name === undefined || value === null || value === undefined || value === false) return [];
      return [value === true ? ` ${name}` : ` ${name}="${escaped(String(value))}"`];
    })
    .join("");
}

const alignOf = ({ properties }: Element) =>
  typeof properties.align === "string" ? `;text-align:${escaped(properties.align)}` : "";

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
