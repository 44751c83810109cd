/** Who copies a formula has its TeX, as it can be written again; else each sign would be there twice, each in a line. */
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
  // Lines are known of what is in the page only.
  const place = document.createElement("div");
  place.className = "sr-only";
  place.append(part);
  document.body.append(place);
  // biome-ignore lint/performance/useDomNodeTextContent: where lines end is what is asked for
  event.clipboardData.setData("text/plain", place.innerText);
  event.clipboardData.setData("text/html", place.innerHTML);
  place.remove();
  event.preventDefault();
}

/** A formula is copied whole, though only a part of it is selected. */
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
