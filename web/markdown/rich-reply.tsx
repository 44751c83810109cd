import { Suspense, useState } from "react";
import { RunSearch } from "#contract/text/costly-runs.ts";
import { isHtmlAnswer } from "#contract/text/html/html-answer.ts";
import { typefaceOf } from "../ui/appearance/reading-font.ts";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { lazyModule } from "../ui/lazy/lazy-module.ts";
import { type BlockInsert, NO_INSERTS } from "./inserts.ts";
import { MarkdownReply } from "./markdown-reply.tsx";
import { PlainReply } from "./plain/plain-reply.tsx";
import { usePrintHold } from "./print-work.ts";
import { BlockInserts } from "./reply-blocks.tsx";
import { NO_SEAMS } from "./seams.ts";
import { NO_MARKS, type TextMark, TextMarksContext } from "./text-marks.ts";
import { useReadingFont } from "./use-reading-font.ts";

const htmlReplyModule = lazyModule(() => import("./html/html-reply.tsx"));
const HtmlReply = lazyComponent(htmlReplyModule, ({ text }) => <Unformed text={text} isMissing />);

type RichReplyProps = {
  text: string;
  seams?: readonly number[] | undefined;
  inserts?: readonly BlockInsert[] | undefined;
  marks?: readonly TextMark[] | undefined;
  isGrowing: boolean;
  prefix: string;
};

/**
 * Renders a reply as Markdown, or as HTML if it begins with an element. The reply is hidden while its typeface loads, and
 * set in Inter if it is in a script that Source Serif lacks.
 */
export default function RichReply(props: RichReplyProps) {
  const { text, seams = NO_SEAMS, inserts = NO_INSERTS, marks = NO_MARKS, isGrowing, prefix } = props;
  const isHtml = isHtmlAnswer(text);
  const isHeld = useReadingFont(text);
  const [runs] = useState(() => new RunSearch());
  if (isHeld) return <Unformed text={text} isHeld />;
  return (
    <div data-typeface={typefaceOf(text)} {...(runs.find(text) && { className: "simple-shaping" })}>
      <TextMarksContext value={marks}>
        {isHtml ? (
          <>
            {/* HTML has no blocks between which they could stand. */}
            <BlockInserts of={inserts} />
            <Suspense fallback={<Unformed text={text} />}>
              <HtmlReply text={text} seams={seams} marks={marks} isGrowing={isGrowing} />
            </Suspense>
          </>
        ) : (
          <MarkdownReply {...{ text, seams, inserts, marks, isGrowing, prefix }} />
        )}
      </TextMarksContext>
    </div>
  );
}

type UnformedProps = { text: string; isMissing?: boolean; isHeld?: boolean };

/** The text while the module that renders it or its typeface is loading (`isHeld`), or the module is missing. */
function Unformed({ text, isMissing = false, isHeld = false }: UnformedProps) {
  usePrintHold(!isMissing, isMissing);
  return <PlainReply text={text} isHeld={isHeld} />;
}
