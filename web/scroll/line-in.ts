/** Returns the message at the top of a view, or the block of an answer there. */
export function lineIn(box: Element, list: Element): Element | null {
  const edge = box.getBoundingClientRect().top + 1;
  const message = firstBelow(list.children, edge);
  const parts = message && partsOf(message);
  return (parts && message && message.getBoundingClientRect().top < edge && firstBelow(parts, edge)) || message;
}

/** Returns the blocks of the answer in a message; undefined for a question. */
export const partsOf = (message: Element): HTMLCollection | undefined =>
  wordsOf(message)?.querySelector(".reply")?.children;

/** Returns the element with the text of a message, without its label and actions; null while there is none. */
export const wordsOf = (message: Element): Element | null => message.querySelector("[data-words]");

/** Binary search for the first element that ends below `edge`; elements are in vertical order. */
function firstBelow(elements: HTMLCollection, edge: number): Element | null {
  let [from, to] = [0, elements.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((elements[middle]?.getBoundingClientRect().bottom ?? 0) > edge) to = middle;
    else from = middle + 1;
  }
  return elements[from] ?? null;
}
