import { memo, Suspense, useState } from "react";
import type { BlockInsert } from "../markdown/inserts.ts";
import { PlainReply } from "../markdown/plain/plain-reply.tsx";
import type { TextMark } from "../markdown/text-marks.ts";
import { FallbackBoundary } from "../ui/components/fallback-boundary.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { lazyModule } from "../ui/lazy/lazy-module.ts";

/** Lazy module that renders Markdown. */
export const richReplyModule = lazyModule(() => import("../markdown/rich-reply.tsx"), "with-chat");

// If the module fails to load, the text is shown as it is.
const LazyRichReply = lazyComponent<ReplyBodyProps>(richReplyModule, ({ text }) => <PlainReply text={text} />);

type ReplyBodyProps = {
  text: string;
  /** Positions of continuations (UTF-16 units). */
  seams?: readonly number[] | undefined;
  /** Elements between the blocks of the text. */
  inserts?: readonly BlockInsert[] | undefined;
  /** Elements that stand for marks in the text. */
  marks?: readonly TextMark[] | undefined;
  isGrowing: boolean;
  prefix: string;
};

export const ReplyBody = memo(function ReplyBody(props: ReplyBodyProps) {
  const { text, isGrowing } = props;
  // If the module is already loaded, nothing else is painted first.
  const [Rich] = useState(() => richReplyModule.get()?.default ?? LazyRichReply);
  return (
    <FallbackBoundary fallback={<PlainReply text={text} />}>
      <Suspense fallback={<PlainReply text={text} isHeld={!isGrowing} />}>
        <Rich {...props} />
      </Suspense>
    </FallbackBoundary>
  );
});
