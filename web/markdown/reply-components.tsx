import "./seams.css";
import type { Element, ElementContent } from "hast";
import { ExternalLink } from "lucide-react";
import { type ComponentProps, createContext, type ReactNode, useContext, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type Components, useIsCodeFenceIncomplete } from "streamdown";
import { useOverflow } from "../ui/use-overflow.ts";
import { levelInPage } from "./blocks/heading-levels.ts";
import { CodeBlock } from "./code/code-block.tsx";
import { safeLink } from "./safe-link.ts";
import { SEAM_TAG } from "./seams.ts";

type WithNode<Tag extends keyof React.JSX.IntrinsicElements> = ComponentProps<Tag> & { node?: Element | undefined };

/**
 * What the parts of a reply must know of it. `prefix`: what the ids of its footnotes begin with, null where there are
 * none; `firstHeading`: the level that its author gave its first heading.
 */
export const ReplyContext = createContext<{ prefix: string | null; firstHeading: number }>({
  prefix: null,
  firstHeading: 1,
});

function ReplyLink({ href, children, id, "aria-label": label }: WithNode<"a">) {
  const { prefix } = useContext(ReplyContext);
  // A footnote's way there and back stays on the page; no other link leads into it.
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

/** Pictures from elsewhere would tell their host who reads what: they become links that show where they lead. */
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

/** What scrolls is named and reached by keyboard; what does not is no stop on the way. */
function ReplyTable({ node: _, children, ...rest }: WithNode<"table">) {
  const { t } = useTranslation("chat");
  const box = useRef<HTMLDivElement>(null);
  const isOver = useOverflow(box);
  return (
    // A group, no region: an answer may have many, and the page has its landmarks.
    <div
      ref={box}
      className="reply-table"
      {...(isOver && { role: "group", tabIndex: 0, "aria-label": t("code.table") })}
    >
      <table dir="auto" {...rest}>
        {children}
      </table>
    </div>
  );
}

const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"] as const;

/** Looks as its author meant it, and is told as a part of its message, whose heading is above it. */
function ReplyHeading({ node, ...rest }: WithNode<"h1">) {
  const { firstHeading } = useContext(ReplyContext);
  const level = Number(node?.tagName.slice(1));
  const Tag = HEADINGS[level - 1] ?? "h1";
  return <Tag aria-level={levelInPage(level, firstHeading)} {...rest} />;
}

/** Their marks stand at the side where their own words begin, whatever language is around them. */
const ReplyList = ({ node: _, ...rest }: WithNode<"ul">) => <ul dir="auto" {...rest} />;
const ReplyNumbers = ({ node: _, ...rest }: WithNode<"ol">) => <ol dir="auto" {...rest} />;
const ReplyQuote = ({ node: _, ...rest }: WithNode<"blockquote">) => <blockquote dir="auto" {...rest} />;

function ReplyCheckbox({ checked }: WithNode<"input">) {
  const { t } = useTranslation("chat");
  return (
    <input type="checkbox" disabled checked={checked === true} aria-label={checked ? t("task.done") : t("task.open")} />
  );
}

/** Where the words go on after a break. */
function SeamMark() {
  const { t } = useTranslation("chat");
  const label = t("messages.seam");
  return <span role="img" aria-label={label} title={label} className="reply-seam" />;
}

/** The same for what holds no mark. */
export function SeamLine() {
  const { t } = useTranslation("chat");
  return <p className="reply-seam-line">{t("messages.seam")}</p>;
}

/** Plain elements, styled by reply.css, instead of Streamdown's own with its class names. */
const plain = [
  ...["p", "strong", "li", "hr", "section", "sup"],
  ...["sub", "thead", "tbody", "tr", "th", "td", "code"],
] as const;

export const replyComponents: Components = {
  ...Object.fromEntries(plain.map((tag) => [tag, tag])),
  ...Object.fromEntries(HEADINGS.map((tag) => [tag, ReplyHeading])),
  a: ReplyLink,
  blockquote: ReplyQuote,
  img: ReplyImage,
  input: ReplyCheckbox,
  ol: ReplyNumbers,
  pre: ReplyPre,
  table: ReplyTable,
  ul: ReplyList,
  [SEAM_TAG]: SeamMark,
};
