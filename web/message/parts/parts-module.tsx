import { useMemo } from "react";
import { isRunning, WAITING } from "#contract/conversation/reply-state.ts";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import type { ShownParts } from "./part-types.ts";

/** Lazy module, loaded with the first message that has parts. */
const partsModule = lazyModule(() => import("./shown-parts.tsx"));

const NONE: ShownParts = {};

/** Returns the elements of a message's parts. While their module is loading, a line above the text reserves their room. */
export function useShownParts({ key, id, createdAt, parts, content, state, loading }: ClientMessage): ShownParts {
  const shown = useLazyModule(partsModule, parts !== undefined);
  const isWriting = isRunning(state);
  const isWaiting = state === WAITING;
  const isAtEnd = isWriting && parts?.at(-1)?.at === content.length;
  return useMemo(() => {
    if (!parts) return NONE;
    if (shown) return shown.shownParts(parts, { key, id, createdAt, isWriting, isWaiting, isAtEnd });
    return loading ? NONE : { above: <div className="reading mb-3 min-h-[1.65em] print:hidden" /> };
  }, [shown, parts, key, id, createdAt, isWriting, isWaiting, isAtEnd, loading]);
}
