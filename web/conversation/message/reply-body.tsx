import { memo, Suspense, useState } from "react";
import { PlainReply } from "../../markdown/plain-reply.tsx";
import { lazyPart } from "../../ui/lazy/lazy-component.tsx";
import { later } from "../../ui/lazy/lazy-module.ts";
import { ReplyBoundary } from "./reply-boundary.tsx";

/** What sets Markdown. */
export const richPart = later(() => import("../../markdown/rich-reply.tsx"));

// The words are what counts: without the part they are shown as they came.
const RichReplyLater = lazyPart<ReplyBodyProps>(richPart, ({ text }) => <PlainReply text={text} />);

type ReplyBodyProps = {
  text: string;
  /** Where it was continued (UTF-16 units). */
  seams?: readonly number[] | undefined;
  isGrowing: boolean;
  prefix: string;
};

export const ReplyBody = memo(function ReplyBody(props: ReplyBodyProps) {
  const { text, isGrowing } = props;
  // Where the part is there already, nothing else is painted first.
  const [Rich] = useState(() => richPart.current()?.default ?? RichReplyLater);
  return (
    <ReplyBoundary fallback={<PlainReply text={text} />}>
      <Suspense fallback={<PlainReply text={text} isHeld={!isGrowing} />}>
        <Rich {...props} />
      </Suspense>
    </ReplyBoundary>
  );
});
