/** A part of the page as text and as HTML. */
export type WrittenPart = { text: string; html: string };

/**
 * Returns a selected part of the page with its formulas as their TeX source; null if it has none. KaTeX writes each
 * formula twice, for the eyes and for screen readers, with each symbol on a line of its own.
 */
export function writeFormulas(selected: Range): WrittenPart | null {
  const part = wholeFormulas(selected).cloneContents();
  const formulas = part.querySelectorAll(".katex");
  if (formulas.length === 0) return null;
  for (const formula of formulas) writeOut(formula);
  // `innerText` has line breaks only for elements in the document.
  const rendered = document.createElement("div");
  rendered.className = "sr-only";
  rendered.append(part);
  document.body.append(rendered);
  // biome-ignore lint/performance/useDomNodeTextContent: `textContent` has no line breaks between blocks
  const written = { text: rendered.innerText, html: rendered.innerHTML };
  rendered.remove();
  return written;
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
