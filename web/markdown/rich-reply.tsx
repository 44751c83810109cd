import { Suspense, useState } from "react";
import { typefaceOf } from "../ui/appearance/reading-font.ts";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { lazyModule } from "../ui/lazy/lazy-module.ts";
import { isHtmlReply } from "./html/is-html-reply.ts";
import { type Insert, NO_INSERTS } from "./inserts.ts";
import { MarkdownReply } from "./markdown-reply.tsx";
import { PlainReply } from "./plain-reply.tsx";
import { usePrintHold } from "./print-work.ts";
import { Inserts } from "./reply-blocks.tsx";
import { NO_SEAMS } from "./seams.ts";
import { useReadingFont } from "./use-reading-font.ts";

const htmlReplyModule = lazyModule(() => import("./html/html-reply.tsx"));
const HtmlReply = lazyComponent(htmlReplyModule, ({ text }) => <Unformed text={text} isMissing />);

type RichReplyProps = {
  text: string;
  seams?: readonly number[] | undefined;
  inserts?: readonly Insert[] | undefined;
  isGrowing: boolean;
  prefix: string;
};

/**
 * Renders a reply as Markdown, or as HTML from the first HTML tag on. The reply is hidden while its typeface loads, and
 * set in Inter if it is in a script that Source Serif lacks.
 */
export default function RichReply(props: RichReplyProps) {
  const { text, seams = NO_SEAMS, inserts = NO_INSERTS, isGrowing, prefix } = props;
  const isHtml = useIsHtml(text, isGrowing);
  const isHeld = useReadingFont(text);
  if (isHeld) return <Unformed text={text} isHeld />;
  return (
    <div data-typeface={typefaceOf(text)}>
      {isHtml ? (
        <>
          {/* HTML has no blocks between which they could stand. */}
          <Inserts of={inserts} />
          <Suspense fallback={<Unformed text={text} />}>
            <HtmlReply text={text} seams={seams} />
          </Suspense>
        </>
      ) : (
        <MarkdownReply text={text} seams={seams} inserts={inserts} isGrowing={isGrowing} prefix={prefix} />
      )}
    </div>
  );
}

type UnformedProps = { text: string; isMissing?: boolean; isHeld?: boolean };

/** The text while the module that renders it or its typeface is loading (`isHeld`), or the module is missing. */
function Unformed({ text, isMissing = false, isHeld = false }: UnformedProps) {
  usePrintHold(!isMissing, isMissing);
  return <PlainReply text={text} isHeld={isHeld} />;
}

/** Decides again at each update; while a reply grows, it can change only from Markdown to HTML. */
function useIsHtml(text: string, isGrowing: boolean): boolean {
  const [wasHtml, setWasHtml] = useState(false);
  if (wasHtml && isGrowing) return true;
  const isHtml = isHtmlReply(text, isGrowing);
  if (isHtml !== wasHtml) setWasHtml(isHtml);
  return isHtml;
}
