/** Lazy module, loaded with the first search hit that is opened: marks the matches in its message. */

import "./match-marks.css";
import { wordsOf } from "../../scroll/line-in.ts";
import { type QueryWord, queryWords } from "../../search/match-words.ts";
import { findInElement } from "./match-text.ts";

/** Name in `CSS.highlights`. */
const NAME = "search";
const MAX_MARKS = 5000;
/** Time (ms) that a step may take, so that no frame is late. */
const SLICE_MS = 8;
/** Least time (ms) between two searches of a message that changes again and again. */
const PAUSE_MS = 250;
/** Number of matches that are looked at for the first one that is laid out. */
const MAX_HIDDEN = 20;
/** Share of the view above and below in which a match is not easily seen. */
const MARGIN = 0.2;
/** Space (px) between a match and the edge of a box that is scrolled sideways. */
const SIDE = 24;
const MODIFIERS = new Set(["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "Fn"]);

let current: MatchMarks | null = null;

/**
 * Marks the words of a query in a message with the CSS Custom Highlight API, which changes neither the elements nor a
 * selection, until the next key press. Marks again when the message is rendered again. Replaces earlier marks.
 * @param onFound called when the position of the first match may have changed
 */
export function markMatches(message: HTMLElement, query: string, onFound: () => void): MatchMarks {
  clearMatches();
  current = new MatchMarks(message, queryWords(query), onFound);
  return current;
}

/** Removes the marks, if there are any. */
export function clearMatches(): void {
  current?.clear();
  current = null;
}

export class MatchMarks {
  readonly #message: HTMLElement;
  readonly #words: readonly QueryWord[];
  readonly #onFound: () => void;
  readonly #changes = new MutationObserver(() => this.#searchLater());
  readonly #listening = new AbortController();
  #ranges: StaticRange[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;
  #isSearching = false;
  #searchedAt = Number.NEGATIVE_INFINITY;

  constructor(message: HTMLElement, words: readonly QueryWord[], onFound: () => void) {
    this.#message = message;
    this.#words = words;
    this.#onFound = onFound;
    this.#changes.observe(message, { childList: true, characterData: true, subtree: true });
    const onKey = ({ key, repeat }: KeyboardEvent) => !repeat && !MODIFIERS.has(key) && clearMatches();
    // A shortcut may stop the event before it bubbles.
    window.addEventListener("keydown", onKey, { capture: true, signal: this.#listening.signal });
    this.#search();
  }

  clear(): void {
    this.#listening.abort();
    this.#changes.disconnect();
    this.#stop();
    this.#ranges = [];
    highlights()?.delete(NAME);
  }

  /** Whether a match is marked, as far as the message has been searched. */
  get isMarked(): boolean {
    return this.#ranges.length > 0 && highlights() !== undefined;
  }

  /** Whether a part of the message is still to be searched. */
  get isSearching(): boolean {
    return this.#isSearching;
  }

  /** Scrolls so that the first match can be seen, also sideways within code and tables. @returns whether there is one */
  showFirst(view: HTMLElement): boolean {
    const range = this.#firstLaidOut();
    if (!range) return false;
    showSideways(range, view);
    const { top, height } = range.getBoundingClientRect();
    const box = view.getBoundingClientRect();
    const margin = box.height * MARGIN;
    if (top < box.top + margin || top + height > box.bottom - margin)
      view.scrollTop += top - box.top - (box.height - height) / 2;
    return true;
  }

  /** Text in closed details, for example, has no position. */
  #firstLaidOut(): Range | null {
    for (const { startContainer, startOffset, endContainer, endOffset } of this.#ranges.slice(0, MAX_HIDDEN)) {
      if (!startContainer.isConnected || !endContainer.isConnected) continue;
      const range = document.createRange();
      range.setStart(startContainer, startOffset);
      range.setEnd(endContainer, endOffset);
      if (range.getBoundingClientRect().height > 0) return range;
    }
    return null;
  }

  #searchLater(): void {
    this.#stop();
    this.#isSearching = true;
    const wait = this.#searchedAt + PAUSE_MS - performance.now();
    // In the next frame, so that a text that is rendered again is never painted without marks.
    if (wait <= 0) this.#frame = requestAnimationFrame(() => this.#search());
    else this.#timer = setTimeout(() => this.#search(), wait);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.#isSearching = false;
  }

  #search(): void {
    this.#stop();
    this.#searchedAt = performance.now();
    const words = wordsOf(this.#message);
    const found: StaticRange[] = [];
    if (words) this.#continue(findInElement(words, this.#words), found);
    else this.#show(found);
  }

  #continue(steps: Iterator<StaticRange[]>, found: StaticRange[]): void {
    this.#stop();
    const endsAt = performance.now() + SLICE_MS;
    let step = steps.next();
    for (; !step.done && found.length < MAX_MARKS; step = steps.next()) {
      found.push(...step.value);
      if (performance.now() < endsAt) continue;
      this.#timer = setTimeout(() => this.#continue(steps, found));
      this.#isSearching = true;
      break;
    }
    this.#show(found.slice(0, MAX_MARKS));
  }

  #show(ranges: StaticRange[]): void {
    this.#ranges = ranges;
    highlights()?.set(NAME, new Highlight(...ranges));
    this.#onFound();
  }
}

/** Returns the registry of the page; undefined in a browser without highlights. */
const highlights = () => (typeof Highlight === "function" && "highlights" in CSS ? CSS.highlights : undefined);

function showSideways(range: Range, view: HTMLElement): void {
  for (let box = range.startContainer.parentElement; box && box !== view; box = box.parentElement) {
    if (box.scrollWidth <= box.clientWidth || !/auto|scroll/.test(getComputedStyle(box).overflowX)) continue;
    const [at, edges] = [range.getBoundingClientRect(), box.getBoundingClientRect()];
    if (at.right > edges.right - SIDE) box.scrollLeft += at.right - edges.right + SIDE;
    else if (at.left < edges.left + SIDE) box.scrollLeft += at.left - edges.left - SIDE;
  }
}
