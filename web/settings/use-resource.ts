import { useCallback, useEffect, useRef, useState } from "react";
import { onReturn } from "../api/on-return.ts";

export type Resource<T> = {
  /** Null until it has been read. */
  value: T | null;
  /** Why it could not be read; null where there is a value, even an older one. */
  error: unknown;
  /** Reads it again. Never throws. */
  reload: () => Promise<void>;
  /** Shows this from now on: what an action has made of it. */
  change: (value: T) => void;
};

/**
 * Something that is read from the server when the component appears, and again when the page is looked at again.
 * `load` stays the same function.
 */
export function useResource<T>(load: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const [state, setState] = useState<{ value: T | null; error: unknown }>({ value: null, error: null });
  const reading = useRef<AbortController | null>(null);

  const change = useCallback((value: T) => {
    // An answer that is under way tells how it was before.
    reading.current?.abort();
    setState({ value, error: null });
  }, []);

  const reload = useCallback(async () => {
    reading.current?.abort();
    const own = new AbortController();
    reading.current = own;
    try {
      const value = await load(own.signal);
      if (!own.signal.aborted) setState({ value, error: null });
    } catch (error) {
      if (!own.signal.aborted) setState(({ value }) => ({ value, error: value === null ? error : null }));
    }
  }, [load]);

  useEffect(() => {
    void reload();
    const stop = onReturn(() => void reload());
    return () => {
      stop();
      reading.current?.abort();
    };
  }, [reload]);

  return { ...state, reload, change };
}
