import { useCallback, useEffect, useRef, useState } from "react";
import { type Failure, toFailure } from "../../forms/use-sending.ts";
import { failureText } from "../form/failure-text.ts";

/** So long after the last key press. */
const PAUSE_MS = 1200;

export type Autosave = {
  value: string;
  change: (value: string) => void;
  /** Writing begins: what stands there now is what can be put back. */
  begin: () => void;
  /** Saves at once what is not saved. */
  flush: () => void;
  state: "saved" | "saving" | "unsaved";
  /** Something was saved since the beginning. */
  hasSaved: boolean;
  failure: Failure | null;
  /** Puts back what stood there before the writing began, or what that took away; null where that is the same. */
  undo: (() => void) | null;
};

type Saver = {
  /** What the server has. */
  stored: string;
  wanted: string;
  isSaving: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
};

/**
 * A text that saves itself: after a pause in the typing, when its field is left, and when the page is. One call at a time
 * goes out, so that the last words win. What could not be saved stays, and goes out with the next change.
 */
export function useAutosave(
  initial: string,
  limit: number,
  save: (text: string, isLeaving: boolean) => Promise<void>,
): Autosave {
  const [value, setValue] = useState(initial);
  const [state, setState] = useState<Autosave["state"]>("saved");
  const [failure, setFailure] = useState<Failure | null>(null);
  const [former, setFormer] = useState<string | null>(null);
  const [hasSaved, setSaved] = useState(false);
  const saver = useRef<Saver>({ stored: initial, wanted: initial, isSaving: false, timer: undefined });

  const flush = useCallback(
    async (isLeaving = false) => {
      const { current } = saver;
      clearTimeout(current.timer);
      if (current.isSaving && !isLeaving) return;
      current.isSaving = true;
      while (current.wanted !== current.stored && current.wanted.length <= limit) {
        const text = current.wanted;
        setState("saving");
        setFailure(null);
        try {
          await save(text, isLeaving);
          current.stored = text;
          setSaved(true);
        } catch (error) {
          setFailure(toFailure(error, failureText));
          break;
        }
      }
      current.isSaving = false;
      setState(current.wanted === current.stored ? "saved" : "unsaved");
    },
    [save, limit],
  );

  // What was written elsewhere counts where nothing waits here.
  useEffect(() => {
    const { current } = saver;
    if (current.isSaving || current.wanted !== current.stored) return;
    current.stored = initial;
    current.wanted = initial;
    setValue(initial);
  }, [initial]);

  const put = (text: string, pauseMs: number) => {
    const { current } = saver;
    current.wanted = text;
    setValue(text);
    setState(text === current.stored ? "saved" : "unsaved");
    clearTimeout(current.timer);
    current.timer = setTimeout(() => void flush(), pauseMs);
  };

  useLeaving(flush);
  const undo = () => {
    put(former ?? value, 0);
    setFormer(value);
  };
  const canUndo = former !== null && former !== value;
  return {
    value,
    change: (text) => put(text, PAUSE_MS),
    begin: useCallback(() => setFormer(saver.current.stored), []),
    flush: useCallback(() => void flush(), [flush]),
    state,
    hasSaved,
    failure,
    undo: canUndo ? undo : null,
  };
}

function useLeaving(flush: (isLeaving: boolean) => Promise<void>): void {
  useEffect(() => {
    const leave = () => void flush(true);
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, [flush]);
}
