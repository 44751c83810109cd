import { lazy, memo, Suspense, useState } from "react";
import { log } from "../../app/log.ts";
import { PlainReply } from "./plain-reply.tsx";
import { ReplyBoundary } from "./reply-boundary.tsx";

type RichReply = typeof import("../markdown/rich-reply.tsx");

let loading: Promise<RichReply> | undefined;
let loaded: RichReply | undefined;

/** Begins to load the part that sets Markdown; after a failure, anew. */
export function loadRichReply(): Promise<RichReply> {
  loading ??= import("../markdown/rich-reply.tsx").then(
    (module) => {
      loaded = module;
      return module;
    },
    (cause: unknown) => {
      loading = undefined;
      throw cause;
    },
  );
  return loading;
}

const RichReplyLater = lazy(async () => {
  try {
    return await loadRichReply();
  } catch (cause) {
    // The words are what counts: they are shown as they came.
    log.warn("Replies are shown without their form", cause);
    return { default: PlainReply };
  }
});

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
  const [Rich] = useState(() => loaded?.default ?? RichReplyLater);
  return (
    <ReplyBoundary fallback={<PlainReply text={text} />}>
      <Suspense fallback={<PlainReply text={text} isHeld={!isGrowing} />}>
        <Rich {...props} />
      </Suspense>
    </ReplyBoundary>
  );
});
