import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import * as z from "zod/mini";
import type { UnsavedWords } from "../../accounts/session/unsaved-words.ts";
import { parseJson } from "../../api/api-error.ts";
import { failureText } from "../../forms/failure-text.ts";
import { type Failure, toFailure } from "../../forms/use-sending.ts";

/** Debounce: ms after the last key press. */
const PAUSE_MS = 1200;

export type Autosave = {
  value: string;
  change: (value: string) => void;
  /** Called when editing starts: records the text that {@link undo} restores. */
  begin: () => void;
  /** Saves unsaved changes at once. */
  flush: () => void;
  state: "saved" | "saving" | "unsaved";
  /** Whether the text is an unsaved one from an earlier page. */
  isLeft: boolean;
  /** Whether a save has succeeded since mounting. */
  hasSaved: boolean;
  failure: Failure | null;
  /** Restores the text from before the edit, or reverts that restoration; null if the texts are equal. */
  undo: (() => void) | null;
  /** Another text was saved elsewhere while this one was unsaved: nothing is saved until the person acts. */
  conflict: Conflict | null;
};

/** {@link Autosave.undo} reverts either choice. */
export type Conflict = { saveOwn: () => void; useOther: () => void };

/** Must go on while the page is unloaded, unless `signal` aborts it. */
type Save = (text: string, signal: AbortSignal) => Promise<void>;

type Saver = {
  /** Text on the server. */
  stored: string;
  wanted: string;
  /** Text of a save that is running or has failed: the server may have it. Null after a success. */
  sent: string | null;
  /** The running save; null if there is none. */
  saving: AbortController | null;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** See {@link Autosave.conflict}. */
  isHeld: boolean;
};

/** `before`: the text on the server at that time. `sent`: see {@link Saver}; texts that were stored earlier lack it. */
const leftSchema = z.object({ text: z.string(), before: z.string(), sent: z.nullish(z.string()) });

const toLeft = ({ wanted, stored, sent }: Saver) => JSON.stringify({ text: wanted, before: stored, sent });

/** Returns the text that an earlier page could not save, and whether a text of another page was saved since. */
function readLeft(unsaved: UnsavedWords, initial: string): { left: string | null; isOutdated: boolean } {
  const { data } = leftSchema.safeParse(parseJson(unsaved.read() ?? ""));
  if (data && data.text !== initial) {
    return { left: data.text, isOutdated: data.before !== initial && data.sent !== initial };
  }
  unsaved.keep(null);
  return { left: null, isOutdated: false };
}

/**
 * Saves a text automatically: debounced while typing, on blur, and when the page is left. Calls of `save` run one after
 * the other, so that the server receives the newest text last. The unloading of the page cannot wait for a running call:
 * it aborts the call if its text is older, and saves the newest text. The server may still process the aborted call last.
 * An unsaved text stays in the field and is stored in `unsaved`; it is sent with the next change, or when the page is
 * opened again.
 */
export function useAutosave(initial: string, limit: number, save: Save, unsaved: UnsavedWords): Autosave {
  const [{ left, isOutdated }] = useState(() => readLeft(unsaved, initial));
  const [value, setValue] = useState(left ?? initial);
  const [former, setFormer] = useState<string | null>(left === null ? null : initial);
  const saver = useRef<Saver>(newSaver(initial, value, isOutdated));
  const { flush, state, setState, isHeld, setHeld, failure, setFailure, hasSaved } = useFlush(
    saver,
    limit,
    save,
    unsaved,
  );

  useEffect(() => {
    const { current } = saver;
    if (!takeOver(current, initial)) return;
    setValue(current.wanted);
    setHeld(current.isHeld);
    setState(stateOf(current));
    setFailure(null);
    if (isSaved(current)) unsaved.keep(null);
  }, [initial, unsaved, setState, setHeld, setFailure]);

  const put = (text: string, pauseMs: number) => {
    const { current } = saver;
    current.wanted = text;
    unsaved.keep(isSaved(current) ? null : toLeft(current));
    if (current.isHeld) setFormer(current.stored);
    current.isHeld = false;
    setHeld(false);
    setValue(text);
    setState(stateOf(current));
    clearTimeout(current.timer);
    current.timer = setTimeout(() => void flush(), pauseMs);
  };
  const restore = (text: string) => {
    put(text, 0);
    setFormer(value);
  };
  const canUndo = former !== null && former !== value;
  return {
    value,
    change: (text) => put(text, PAUSE_MS),
    begin: useCallback(() => setFormer(saver.current.stored), []),
    flush: useCallback(() => void flush(), [flush]),
    state,
    isLeft: state !== "saved" && value === left,
    hasSaved,
    failure,
    undo: canUndo ? () => restore(former) : null,
    conflict: isHeld ? { saveOwn: () => put(value, 0), useOther: () => restore(saver.current.stored) } : null,
  };
}

/** Returns the function that saves the text of `saver`, and its outcome. It runs when the page is opened and left too. */
function useFlush(saver: RefObject<Saver>, limit: number, save: Save, unsaved: UnsavedWords) {
  const [state, setState] = useState<Autosave["state"]>(() => stateOf(saver.current));
  const [isHeld, setHeld] = useState(() => saver.current.isHeld);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [hasSaved, setSaved] = useState(false);

  const flush = useCallback(
    async (isUnloading = false) => {
      const { current } = saver;
      clearTimeout(current.timer);
      if (current.isHeld) return;
      if (current.saving) {
        const isReplaced = isUnloading && current.wanted !== current.sent && current.wanted.length <= limit;
        if (!isReplaced) return;
        current.saving.abort();
      }
      const saving = new AbortController();
      current.saving = saving;
      while (!isSaved(current) && current.wanted.length <= limit) {
        const text = current.wanted;
        current.sent = text;
        setState("saving");
        setFailure(null);
        try {
          await save(text, saving.signal);
          saving.signal.throwIfAborted();
          current.stored = text;
          current.sent = null;
          current.isHeld = false;
          setHeld(false);
          unsaved.keep(isSaved(current) ? null : toLeft(current));
          setSaved(true);
        } catch (error) {
          if (saving.signal.aborted) return;
          setFailure(toFailure(error, failureText));
          break;
        }
      }
      current.saving = null;
      setState(stateOf(current));
    },
    [saver, save, limit, unsaved],
  );

  useEffect(() => {
    void flush();
    const unload = () => void flush(true);
    window.addEventListener("pagehide", unload);
    return () => {
      window.removeEventListener("pagehide", unload);
      void flush();
    };
  }, [flush]);
  return { flush, state, setState, isHeld, setHeld, failure, setFailure, hasSaved };
}

const newSaver = (stored: string, wanted: string, isHeld: boolean): Saver => {
  return { stored, wanted, sent: null, saving: null, timer: undefined, isHeld };
};

const isSaved = ({ wanted, stored, sent }: Saver) => wanted === stored && sent === null;
const stateOf = (saver: Saver) => (isSaved(saver) ? "saved" : "unsaved");

/**
 * Adopts a text that was saved elsewhere; a local change that is unsaved stays, but is held. Returns whether anything
 * has changed.
 */
function takeOver(saver: Saver, stored: string): boolean {
  const isOwn = stored === saver.sent;
  if (stored === saver.stored || (isOwn && saver.saving)) return false;
  if (isSaved(saver)) saver.wanted = stored;
  if (!saver.saving) saver.sent = null;
  saver.stored = stored;
  saver.isHeld = saver.wanted !== stored && !isOwn;
  return true;
}
