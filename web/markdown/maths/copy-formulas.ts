/** Replaces copied formulas by their TeX source; otherwise each symbol would be copied twice, on a line of its own. */
export function copyFormulas(): void {
  document.addEventListener("copy", onCopy);
}

function onCopy(event: ClipboardEvent): void {
  const selection = getSelection();
  const isInField = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
  if (!event.clipboardData || isInField || !selection || selection.isCollapsed) return;
  const part = wholeFormulas(selection.getRangeAt(0)).cloneContents();
  const formulas = part.querySelectorAll(".katex");
  if (formulas.length === 0) return;
  for (const formula of formulas) writeOut(formula);
  // `innerText` has line breaks only for elements in the document.
  const place = document.createElement("div");
  place.className = "sr-only";
  place.append(part);
  document.body.append(place);
  // biome-ignore lint/performance/useDomNodeTextContent: `textContent` has no line breaks between blocks
  event.clipboardData.setData("text/plain", place.innerText);
  event.clipboardData.setData("text/html", place.innerHTML);
  place.remove();
  event.preventDefault();
}

/** Extends a selection that covers only some symbols of a formula to the whole formula. */
function wholeFormulas(selected: Range): Range {
  const range = selected.cloneRange();
  const first = formulaAround(range.startContainer);
  const last = formulaAround(range.endContainer);
  if (first) range.setStartBefore(first);
  if (last) range.setEndAfter(last);
  return range;
}

function formulaAround(node: Node): Element | null {
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest(".katex-display") ?? element?.closest(".katex") ?? null;
}

function writeOut(formula: Element): void {
  const tex = formula.querySelector("annotation")?.textContent ?? "";
  const display = formula.closest(".katex-display");
  const written = document.createElement(display ? "div" : "span");
  written.className = "whitespace-pre-wrap";
  written.textContent = display ? `$$\n${tex}\n$$` : `$${tex}$`;
  (display ?? formula).replaceWith(written);
}
