import { useEffect, useRef, useState } from "react";
import { SECOND } from "#contract/limits.ts";
import { log } from "../log.ts";

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

/** @returns whether the clipboard has the text now */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
    return copyBySelection(text);
  } catch (cause) {
    log.warn("The text could not be copied", cause);
    return false;
  }
}

/** Fallback for pages over plain http: `navigator.clipboard` needs a secure context. */
function copyBySelection(text: string): boolean {
  const box = document.createElement("textarea");
  const focused = document.activeElement;
  box.value = text;
  box.className = "sr-only";
  document.body.append(box);
  box.select();
  const isDone = document.execCommand("copy");
  box.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isDone;
}
