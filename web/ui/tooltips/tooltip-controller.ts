import type { RefObject } from "react";
import { Store } from "../../store/store.ts";
import { fits } from "../keys/press.ts";
import { isShortcut, keysNow, type ShortcutId } from "../keys/shortcuts.ts";

export type ShownTooltip = {
  anchor: HTMLElement;
  text: string;
  shortcut: ShortcutId | undefined;
  isBeside: boolean;
};

/** Delay before a tooltip is shown on hover. */
export const OPEN_MS = 300;
/** Time in which the pointer may leave the anchor on its way to the tooltip. */
const CLOSE_MS = 100;
/** After a tooltip was left, the next one is shown without delay for this time. */
const WARM_MS = 300;

/** Keys that move the focus. A focus that another key or a script moved, e.g. into a dialog, shows no tooltip. */
const STEP_KEYS = /^(Tab|Arrow(Up|Down|Left|Right)|Home|End)$/;
const MODIFIERS = /^(Shift|Control|Alt|AltGraph|Meta)$/;

/**
 * Decides which tooltip of the page is shown, by listeners on the document: after a delay on hover, at once on keyboard
 * focus, never on touch. A press, Escape, scrolling and leaving hide it (WCAG 1.4.13).
 */
export class TooltipController {
  readonly shown = new Store<ShownTooltip | null>(null);
  readonly #box: RefObject<HTMLElement | null>;
  /** Anchor under the pointer; after a press it gets no tooltip until the pointer has left it. */
  #pointed: HTMLElement | null = null;
  #isByFocus = false;
  #isStepping = false;
  #pressedAt: Pick<PointerEvent, "clientX" | "clientY"> | undefined;
  #leftAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param box the tooltip's own element, null while none is shown */
  constructor(box: RefObject<HTMLElement | null>) {
    this.#box = box;
  }

  /**
   * Starts to listen.
   * @param isByKey whether a key has just moved the focus
   * @param pressedAt the last press before, after which the pointer may rest on the pressed element
   * @returns the function that stops
   */
  listen(isByKey: boolean, pressedAt: PointerEvent | null): () => void {
    const ended = new AbortController();
    const [late, early] = [{ signal: ended.signal }, { signal: ended.signal, capture: true }];
    document.addEventListener("pointerover", this.#onPointerOver, late);
    document.documentElement.addEventListener("pointerleave", () => this.#point(null), late);
    for (const press of ["pointerdown", "click", "contextmenu", "dragstart"] as const)
      document.addEventListener(press, this.#onPress, early);
    document.addEventListener("focusin", ({ target }) => this.#focus(target), late);
    document.addEventListener("focusout", () => this.#isByFocus && this.hide(), late);
    window.addEventListener("keydown", this.#onKeyDown, early);
    document.addEventListener("scroll", this.#onScroll, { ...early, passive: true });
    for (const change of ["blur", "resize"] as const) window.addEventListener(change, this.hide, late);
    // The event that loaded this layer (a pointer move or the Tab key) came before these listeners. The pointer or the
    // focus may already be on an anchor.
    this.#isStepping = isByKey;
    this.#focus(document.activeElement);
    if (pressedAt) this.#pressedAt = pressedAt;
    else this.#point([...document.querySelectorAll<HTMLElement>("[data-tooltip]:hover")].at(-1) ?? null);
    return () => {
      ended.abort();
      this.hide();
    };
  }

  readonly hide = (): void => {
    clearTimeout(this.#timer);
    this.#isByFocus = false;
    this.shown.set(null);
  };

  readonly #onPointerOver = ({ target, pointerType, clientX, clientY }: PointerEvent): void => {
    if (pointerType === "touch" || !(target instanceof Element)) return;
    if (this.#box.current?.contains(target)) {
      clearTimeout(this.#timer);
      // The pointer may be on its way to a control that the tooltip covers.
      if (this.#coversControl(clientX, clientY)) {
        this.hide();
        return;
      }
      this.#pointed = this.shown.get()?.anchor ?? null;
      return;
    }
    const anchor = target.closest<HTMLElement>("[data-tooltip]");
    // The press replaced the element under a resting pointer.
    if (this.#pressedAt?.clientX === clientX && this.#pressedAt.clientY === clientY) this.#pointed = anchor;
    else this.#point(anchor);
  };

  #coversControl(x: number, y: number): boolean {
    const below = document.elementsFromPoint(x, y).find((element) => !this.#box.current?.contains(element));
    const control = below?.closest(CONTROLS);
    return control != null && control !== this.shown.get()?.anchor;
  }

  #point(anchor: HTMLElement | null): void {
    const shown = this.#isByFocus ? null : this.shown.get();
    if (anchor && anchor === shown?.anchor) clearTimeout(this.#timer);
    if (anchor === this.#pointed) return;
    this.#pointed = anchor;
    clearTimeout(this.#timer);
    if (shown?.anchor === anchor) return;
    if (!anchor) {
      if (shown) this.#timer = setTimeout(this.#leave, CLOSE_MS);
    } else if (shown || performance.now() - this.#leftAt < WARM_MS) {
      this.#show(anchor);
    } else {
      this.#timer = setTimeout(() => this.#show(anchor), OPEN_MS);
    }
  }

  readonly #leave = (): void => {
    this.#leftAt = performance.now();
    this.hide();
  };

  #show(anchor: HTMLElement, isByFocus = false): void {
    const { tooltip: text = "", tooltipKeys = "", tooltipSide, tooltipIf } = anchor.dataset;
    const isWanted =
      text !== "" && anchor.isConnected && !isPopupOpen(anchor) && (tooltipIf !== "cut" || isCut(anchor));
    if (!isWanted) {
      this.hide();
      return;
    }
    this.#isByFocus = isByFocus;
    const shortcut = isShortcut(tooltipKeys) ? tooltipKeys : undefined;
    this.shown.set({ anchor, text, shortcut, isBeside: tooltipSide === "end" });
  }

  readonly #onPress = (event: Event): void => {
    if (event.target instanceof Node && this.#box.current?.contains(event.target)) return;
    this.#isStepping = false;
    // A click by a key has no position.
    if (event instanceof PointerEvent && event.pointerType !== "") this.#pressedAt = event;
    this.hide();
  };

  #focus(target: EventTarget | null): void {
    if (!this.#isStepping || !(target instanceof HTMLElement) || !target.matches(":focus-visible")) return;
    const anchor = target.dataset.tooltip === undefined ? target.querySelector<HTMLElement>(CUT) : target;
    if (!anchor) return;
    clearTimeout(this.#timer);
    this.#show(anchor, true);
  }

  readonly #onKeyDown = (event: KeyboardEvent): void => {
    const shown = this.shown.get();
    this.#isStepping = STEP_KEYS.test(event.key);
    if (shown && event.key === "Escape") {
      this.hide();
      // Escape closes one layer at a time, unless the tooltip names it as the key of its control.
      if (shown.shortcut && keysNow(shown.shortcut).some((press) => fits(event, press))) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    } else if (this.#isByFocus && !MODIFIERS.test(event.key)) {
      this.hide();
    }
  };

  readonly #onScroll = ({ target }: Event): void => {
    if (target instanceof Node && target.contains(this.shown.get()?.anchor ?? null)) this.hide();
  };
}

const CONTROLS = "a, button, input, select, textarea, [role=button], [role=link], [role=option]";

/** Text within a focusable element. */
const CUT = "[data-tooltip-if=cut]";

const isCut = ({ scrollWidth, clientWidth }: HTMLElement) => scrollWidth > clientWidth;

const isPopupOpen = (anchor: HTMLElement) =>
  anchor.hasAttribute("aria-haspopup") && anchor.getAttribute("aria-expanded") === "true";
