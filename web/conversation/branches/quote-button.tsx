import { Quote } from "lucide-react";
import { type RefObject, useContext, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/components/button.tsx";
import { isPressed } from "../../ui/keys/shortcuts.ts";
import { tooltip } from "../../ui/tooltips/tooltip.ts";
import { useChatSession } from "../chat-session.ts";
import { ComposerBox } from "../composer-box.ts";
import { type Quotable, selectedIn, withQuote } from "./quote.ts";

type QuoteButtonProps = { chat: string | null; list: RefObject<HTMLElement | null> };

/** Half of the button's width, and its height with the space to the text (px). */
const HALF_WIDTH = 48;
const SPACE = 44;

/** Button at the selection in a message; inserts it into the box as a quote. */
export function QuoteButton({ chat, list }: QuoteButtonProps) {
  const { t } = useTranslation("branches");
  const { drafts } = useChatSession();
  const box = useContext(ComposerBox);
  const { selected, forget } = useSelected(list);
  const quote = (words: string) => {
    const draft = drafts.get(chat);
    drafts.set(chat, draft.withText(withQuote(draft.text, words)));
    forget();
    document.getSelection()?.removeAllRanges();
    // Waits until the box has the text.
    requestAnimationFrame(() => {
      const area = box.current;
      if (!area) return;
      area.focus({ preventScroll: true });
      area.setSelectionRange(area.value.length, area.value.length);
      area.scrollTop = area.scrollHeight;
    });
  };
  useShortcut(list, quote);
  if (!selected) return null;
  return (
    <Button
      variant="secondary"
      size="small"
      aria-keyshortcuts="Alt+Q"
      {...tooltip(t("quote"), { shortcut: "quote" })}
      className="fixed z-30 -translate-x-1/2 animate-appear shadow-float"
      style={positionOf(selected.rect)}
      // The selection must stay until it is quoted.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => quote(selected.words)}
    >
      <Quote aria-hidden="true" className="size-4 text-muted" />
      {t("quote")}
    </Button>
  );
}

/**
 * Returns a position above the selection, within the window; below it on touch screens, where the system's menu is
 * above.
 */
function positionOf({ left, top, bottom, width }: DOMRect): { left: number; top: number } {
  const centre = Math.min(Math.max(left + width / 2, HALF_WIDTH + 8), window.innerWidth - HALF_WIDTH - 8);
  const isBelow = window.matchMedia("(pointer: coarse)").matches || top < SPACE + 8;
  const wanted = isBelow ? bottom + 12 : top - SPACE;
  return { left: centre, top: Math.min(Math.max(wanted, 8), window.innerHeight - SPACE - 8) };
}

/** Returns the completed selection, not one that is still being dragged. */
function useSelected(list: RefObject<HTMLElement | null>) {
  const [selected, setSelected] = useState<Quotable | null>(null);
  const isDrawing = useRef(false);
  const isOffered = useRef(false);
  useEffect(() => {
    isOffered.current = selected !== null;
  }, [selected]);
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const updateSelection = () => setSelected(isDrawing.current || !list.current ? null : selectedIn(list.current));
    const on = (name: string, listener: (event: Event) => void, target: EventTarget = document) =>
      target.addEventListener(name, listener, { signal, capture: true });
    on("selectionchange", updateSelection);
    // On touch screens the system's handles change the selection, and only `selectionchange` reports it.
    on("pointerdown", (event) => {
      isDrawing.current = event instanceof PointerEvent && event.pointerType === "mouse";
    });
    on("pointerup", () => {
      isDrawing.current = false;
      // The browser clears a clicked selection after the event.
      setTimeout(updateSelection);
    });
    on("keydown", (event) => {
      if (!(event instanceof KeyboardEvent) || event.key !== "Escape" || !isOffered.current) return;
      setSelected(null);
      // This key press only ends the selection.
      event.preventDefault();
    });
    on("scroll", updateSelection);
    on("resize", updateSelection, window);
    updateSelection();
    return () => ended.abort();
  }, [list]);
  return { selected, forget: () => setSelected(null) };
}

function useShortcut(list: RefObject<HTMLElement | null>, quote: (words: string) => void): void {
  const latest = useRef(quote);
  useEffect(() => {
    latest.current = quote;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isPressed(event, "quote") || !list.current) return;
      const selected = selectedIn(list.current);
      if (!selected) return;
      event.preventDefault();
      latest.current(selected.words);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [list]);
}
