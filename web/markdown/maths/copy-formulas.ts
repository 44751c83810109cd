import { writeFormulas } from "./written-formulas.ts";

/** Replaces copied formulas by their TeX source; otherwise each symbol would be copied twice, on a line of its own. */
export function copyFormulas(): void {
  document.addEventListener("copy", onCopy);
}

function onCopy(event: ClipboardEvent): void {
  const selection = getSelection();
  const isInField = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
  if (!event.clipboardData || isInField || !selection || selection.isCollapsed) return;
  const written = writeFormulas(selection.getRangeAt(0));
  if (!written) return;
  event.clipboardData.setData("text/plain", written.text);
  event.clipboardData.setData("text/html", written.html);
  event.preventDefault();
}
