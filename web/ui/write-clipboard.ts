import { log } from "../log.ts";

/** Copies a text. @returns whether the clipboard has the text now */
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
