import { Suspense, useState } from "react";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { lazyModule } from "../ui/lazy/lazy-module.ts";
import { isHtmlReply } from "./html/is-html-reply.ts";
import { MarkdownReply } from "./markdown-reply.tsx";
import { PlainReply } from "./plain-reply.tsx";
import { NO_SEAMS } from "./seams.ts";

const htmlReplyModule = lazyModule(() => import("./html/html-reply.tsx"));
const HtmlReply = lazyComponent(htmlReplyModule, ({ text }) => <PlainReply text={text} />);

type RichReplyProps = { text: string; seams?: readonly number[] | undefined; isGrowing: boolean; prefix: string };

/** Renders a reply as Markdown, or as HTML from the first HTML tag on. */
export default function RichReply({ text, seams = NO_SEAMS, isGrowing, prefix }: RichReplyProps) {
  const isHtml = useIsHtml(text, isGrowing);
  if (!isHtml) return <MarkdownReply text={text} seams={seams} isGrowing={isGrowing} prefix={prefix} />;
  return (
    <Suspense fallback={<PlainReply text={text} />}>
      <HtmlReply text={text} seams={seams} />
    </Suspense>
  );
}

/** Decides again at each update; while a reply grows, it can change only from Markdown to HTML. */
function useIsHtml(text: string, isGrowing: boolean): boolean {
  const [wasHtml, setWasHtml] = useState(false);
  if (wasHtml && isGrowing) return true;
  const isHtml = isHtmlReply(text, isGrowing);
  if (isHtml !== wasHtml) setWasHtml(isHtml);
  return isHtml;
}
