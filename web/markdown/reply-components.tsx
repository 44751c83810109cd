import "./seams.css";
import type { Element, ElementContent } from "hast";
import { ExternalLink } from "lucide-react";
import { type ComponentProps, createContext, type ReactNode, useContext, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type Components, useIsCodeFenceIncomplete } from "streamdown";
import { safeLink } from "../ui/safe-link.ts";
import { tooltip } from "../ui/tooltips/tooltip.ts";
import { useOverflow } from "../ui/use-overflow.ts";
import { ALERT_TAG, ReplyAlert } from "./alerts.tsx";
import { levelInPage } from "./blocks/heading-levels.ts";
import { CodeBlock } from "./code/code-block.tsx";
import { isNumericText } from "./plain/numeric-text.ts";
import { useIsPrinted } from "./print-work.ts";
import { SEAM_TAG } from "./seams.ts";
import { MARK_TAG, TextMarksContext } from "./text-marks.ts";

type WithNode<Tag extends keyof React.JSX.IntrinsicElements> = ComponentProps<Tag> & { node?: Element | undefined };

/**
 * Context for the elements of a reply. `prefix`: prefix of its footnote ids, null if there are none; `firstHeading`:
 * level of its first heading as written.
 */
export const ReplyContext = createContext<{ prefix: string | null; firstHeading: number }>({
  prefix: null,
  firstHeading: 1,
});

function ReplyLink({ href, children, id, "aria-label": label }: WithNode<"a">) {
  const { prefix } = useContext(ReplyContext);
  // Only footnote references and back-links may point into this page.
  if (prefix !== null && href?.startsWith(`#${prefix}-fn`)) {
    return (
      <a href={href} id={id} aria-label={label}>
        {children}
      </a>
    );
  }
  const address = safeLink(href);
  return address === null ? <span>{children}</span> : <OutsideLink address={address}>{children}</OutsideLink>;
}

function OutsideLink({ address, children }: { address: string; children: ReactNode }) {
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** Renders an image as a link that shows its address: loading it would disclose to its host who reads which reply. */
function ReplyImage({ src, alt }: WithNode<"img">) {
  const { t } = useTranslation("chat");
  const address = safeLink(src);
  const words = alt ? t("image", { name: alt }) : t("imageUnnamed");
  if (address === null) return <span>{words}</span>;
  return (
    <OutsideLink address={address}>
      <ExternalLink aria-hidden="true" className="me-1 inline size-3.5 align-[-0.125em]" />
      {words} ({address})
    </OutsideLink>
  );
}

function ReplyPre({ node, children }: WithNode<"pre">) {
  const isIncomplete = useIsCodeFenceIncomplete();
  const code = node?.children.find((child): child is Element => child.type === "element" && child.tagName === "code");
  if (!code) return <pre>{children}</pre>;
  const text = textOf(code).replace(/\n$/, "");
  return <CodeBlock language={languageOf(code)} code={text} isClosed={!isIncomplete} />;
}

function textOf(node: ElementContent): string {
  if (node.type === "text") return node.value;
  return node.type === "element" ? node.children.map(textOf).join("") : "";
}

function languageOf({ properties }: Element): string {
  const names = Array.isArray(properties.className) ? properties.className.map(String) : [];
  return (
    names
      .find((name) => name.startsWith("language-"))
      ?.slice("language-".length)
      .toLowerCase() ?? ""
  );
}

/** A table. It has a name and a tab stop only while it overflows and can be scrolled. */
function ReplyTable({ node: _, dir = "auto", children, ...rest }: WithNode<"table">) {
  const { t } = useTranslation("chat");
  const box = useRef<HTMLDivElement>(null);
  const isOver = useOverflow(box);
  return (
    // A group, not a region: an answer may have many tables, and each region would be a landmark.
    <div
      ref={box}
      // A wide table begins at its own side.
      dir={dir === "auto" ? undefined : dir}
      className="reply-table"
      {...(isOver && { role: "group", tabIndex: 0, "aria-label": t("code.table") })}
    >
      <table dir={dir} {...rest}>
        {children}
      </table>
    </div>
  );
}

/** Cells of a table. Only in numbers do digits have one width: in words such figures stand too far apart. */
function ReplyCell({ node, ...rest }: WithNode<"td">) {
  return <td {...numeric(node)} {...rest} />;
}

function ReplyHeadCell({ node, ...rest }: WithNode<"th">) {
  return <th {...numeric(node)} {...rest} />;
}

const numeric = (cell: Element | undefined) =>
  cell && isNumericText(textOf(cell)) ? { className: "reply-number" } : {};

const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"] as const;

/** A heading styled by the level its author chose; `aria-level` places it below the heading of its message. */
function ReplyHeading({ node, ...rest }: WithNode<"h1">) {
  const { firstHeading } = useContext(ReplyContext);
  const level = Number(node?.tagName.slice(1));
  const Tag = HEADINGS[level - 1] ?? "h1";
  return <Tag aria-level={levelInPage(level, firstHeading)} {...rest} />;
}

/** Lists and quotes. With `dir="auto"` their markers follow the direction of their own text. */
const ReplyList = ({ node: _, ...rest }: WithNode<"ul">) => <ul dir="auto" {...rest} />;
const ReplyNumbers = ({ node: _, ...rest }: WithNode<"ol">) => <ol dir="auto" {...rest} />;
const ReplyQuote = ({ node: _, ...rest }: WithNode<"blockquote">) => <blockquote dir="auto" {...rest} />;

type ReplyDetailsProps = { open: boolean; summary: ReactNode; children: ReactNode };

/** A native disclosure, open on paper; without a summary of its own it has a general one. */
export function ReplyDetails({ open, summary, children }: ReplyDetailsProps) {
  const { t } = useTranslation("replies");
  const isPrinted = useIsPrinted();
  return (
    <details dir="auto" open={open || isPrinted}>
      <summary>{summary === "" ? t("disclosure") : summary}</summary>
      {children}
    </details>
  );
}

/** A disclosure in a list, a quote or HTML, whose summary is among its children. */
function NestedDetails({ node, open, dir = "auto", children }: WithNode<"details">) {
  const { t } = useTranslation("replies");
  const isPrinted = useIsPrinted();
  const hasSummary = node?.children.some((child) => child.type === "element" && child.tagName === "summary") === true;
  return (
    <details dir={dir} open={open === true || isPrinted}>
      {!hasSummary && <summary>{t("disclosure")}</summary>}
      {children}
    </details>
  );
}

function ReplyCheckbox({ checked }: WithNode<"input">) {
  const { t } = useTranslation("chat");
  return (
    <input type="checkbox" disabled checked={checked === true} aria-label={checked ? t("task.done") : t("task.open")} />
  );
}

/** Inline mark at the position where a reply was continued. */
function SeamMark() {
  const { t } = useTranslation("chat");
  const label = t("messages.seam");
  return <span role="img" aria-label={label} {...tooltip(label)} className="reply-seam" />;
}

/** The mark of a citation; its characters if the page has no element for it. */
function TextMark({ node, children }: ComponentProps<"span"> & { node?: Element | undefined }) {
  const marks = useContext(TextMarksContext);
  const mark = node && marks.find(({ at }) => String(at) === node.properties.at);
  return mark ? mark.render(textOf(node)) : children;
}

/** Mark below a block that cannot contain an inline mark. */
export function SeamLine() {
  const { t } = useTranslation("chat");
  return <p className="reply-seam-line">{t("messages.seam")}</p>;
}

/** Tags that render as plain elements, styled by reply.css, instead of Streamdown's components with class names. */
const plain = [...["p", "strong", "li", "hr", "section", "sup"], ...["sub", "thead", "tbody", "tr", "code"]] as const;

export const replyComponents: Components = {
  ...Object.fromEntries(plain.map((tag) => [tag, tag])),
  ...Object.fromEntries(HEADINGS.map((tag) => [tag, ReplyHeading])),
  a: ReplyLink,
  blockquote: ReplyQuote,
  details: NestedDetails,
  img: ReplyImage,
  input: ReplyCheckbox,
  ol: ReplyNumbers,
  pre: ReplyPre,
  table: ReplyTable,
  td: ReplyCell,
  th: ReplyHeadCell,
  ul: ReplyList,
  [ALERT_TAG]: ReplyAlert,
  [MARK_TAG]: TextMark,
  [SEAM_TAG]: SeamMark,
};
