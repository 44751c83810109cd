/** HTML replies. Loaded on demand: the parser is a third of the size of all Markdown code. */

import type { Root, RootContent } from "hast";
import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import { useDeferredValue, useMemo } from "react";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";
import { hasCostlyLines } from "#contract/text/costly-lines.ts";
import { hasRightToLeft, setDirections } from "#contract/text/directions.ts";
import { isTooNested } from "../costly-markup.ts";
import { LongText } from "../plain/long-text.tsx";
import { PlainReply } from "../plain/plain-reply.tsx";
import { splitHtmlAtRenderBudget } from "../render-budget.ts";
import { ReplyContext, replyComponents } from "../reply-components.tsx";
import { insertSeams, NO_SEAMS, SEAM_TAG, visibleSeams } from "../seams.ts";
import { insertMarks, MARK_TAG, type MarkSpan, markSpans, NO_MARKS, type TextMark } from "../text-marks.ts";
import { parseHtml } from "./parse-html.ts";

const seamMark = () => ({ type: "element", tagName: SEAM_TAG, properties: {}, children: [] });
const textMark = (at: number, value: string) => ({
  type: "element",
  tagName: MARK_TAG,
  properties: { at: String(at) },
  children: [{ type: "text", value }],
});

/** A tag or a character reference whose end may still arrive. */
const UNFINISHED = /(?:<[^<>]{0,2000}|&#?\w{0,32})$/;

type HtmlReplyProps = {
  text: string;
  seams?: readonly number[];
  marks?: readonly TextMark[];
  isGrowing?: boolean;
};

export default function HtmlReply(props: HtmlReplyProps) {
  const { text: written, seams = NO_SEAMS, marks = NO_MARKS, isGrowing = false } = props;
  const text = isGrowing ? written.replace(UNFINISHED, "") : written;
  // Each update parses the whole text again: deferred, so that it does not block urgent updates.
  const [rendered, rest] = splitHtmlAtRenderBudget(text);
  const settled = useDeferredValue(rendered);
  const content = useMemo(() => {
    if (isTooNested(settled)) return null;
    return htmlToReact(
      settled,
      seams,
      markSpans(marks, settled, settled, (at) => at),
    );
  }, [settled, seams, marks]);
  const firstHeading = Number(/<h([1-6])[\s>]/i.exec(text)?.[1] ?? 1);
  const here = useMemo(() => ({ prefix: null, firstHeading }), [firstHeading]);
  if (content === null) return <PlainReply text={text} />;
  return (
    <ReplyContext value={here}>
      <div className="reply">
        {content}
        {rest !== "" && <LongText text={rest} />}
      </div>
    </ReplyContext>
  );
}

const isCostly = (node: Root | RootContent): boolean =>
  node.type === "text" ? hasCostlyLines(node.value) : "children" in node && node.children.some(isCostly);

/**
 * Converts HTML to React elements; null if a text in it is too costly to be laid out. It sanitizes the tree and never
 * uses innerHTML.
 */
export function htmlToReact(html: string, seams = NO_SEAMS, marks: readonly MarkSpan[] = []) {
  const tree = parseHtml(html);
  if (isCostly(tree)) return null;
  if (hasRightToLeft(html)) setDirections(tree);
  insertMarks(tree, html, marks, textMark);
  insertSeams(tree, html, visibleSeams(seams, html), seamMark);
  return toJsxRuntime(tree, {
    Fragment,
    jsx,
    jsxs,
    components: replyComponents,
    passNode: true,
    ignoreInvalidStyle: true,
  });
}
