import { useEffect, useRef, useState } from "react";
import { SECOND } from "#contract/limits.ts";
import { writeClipboard } from "./write-clipboard.ts";

const COPIED_MS = 2 * SECOND;

/** Copies text to the clipboard by `write`; `isCopied` is true for a moment after a success. */
export function useCopy(write = writeClipboard): { isCopied: boolean; copy: (text: string) => void } {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (text: string) => {
    if (!(await write(text))) return;
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), COPIED_MS);
  };
  return { isCopied, copy: (text) => void copy(text) };
}
