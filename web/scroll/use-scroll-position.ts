import { useEffect, useLayoutEffect, useRef } from "react";
import { lazyModule, useLazyModule } from "../ui/lazy/lazy-module.ts";
import type { Shown } from "./lazy-scroll.ts";
import type { ScrollSession } from "./scroll-position.ts";

export const lazyScrollModule = lazyModule(() => import("./lazy-scroll.ts"), "with-chat");

type Opening = {
  session: ScrollSession;
  shown: () => Omit<Shown, "session">;
  onRestored: () => void;
  onEnd: () => void;
};

/** Opens a chat at its stored position, else at its end. @returns the scroll listener */
export function useScrollPosition(
  chat: string,
  { session, shown, onRestored, onEnd }: Opening,
): (isAtEnd: boolean) => void {
  const reading = useLazyModule(lazyScrollModule);
  const ending = useRef<(() => void) | null>(null);
  const opened = useRef<string>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another chat has another stored position
  useLayoutEffect(() => {
    // If the lazy module has loaded after the chat, the end is shown already.
    const isNew = opened.current !== chat;
    opened.current = chat;
    ending.current?.();
    ending.current = reading?.restorePosition({ session, ...shown() }) ?? null;
    if (ending.current) onRestored();
    else if (isNew) onEnd();
  }, [chat, reading]);
  useEffect(() => {
    const store = () => document.visibilityState === "hidden" && reading?.storePositions(session);
    document.addEventListener("visibilitychange", store);
    return () => {
      document.removeEventListener("visibilitychange", store);
      ending.current?.();
      reading?.storePositions(session);
    };
  }, [reading, session]);
  return (isAtEnd) => reading?.recordPosition({ session, ...shown() }, isAtEnd);
}
