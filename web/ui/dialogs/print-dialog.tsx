import { Dialog } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { useBackGesture } from "./use-back-gesture.ts";
import { useReturnFocus } from "./use-return-focus.ts";

type PrintDialogProps = {
  /** With the `Dialog.Title`; not printed. */
  bar: ReactNode;
  /** Name of the scrolled paper. */
  label: string;
  /** The paper; null: there is none. */
  children: ReactNode;
  /** What stands beside the paper. */
  beside?: ReactNode;
  onClose: () => void;
};

/** Covers the page with a paper to print and a bar above it. On paper there is the paper alone. */
export function PrintDialog({ bar, label, children, beside, onClose }: PrintDialogProps) {
  const returnFocus = useReturnFocus(true);
  useBackGesture(true);
  const content = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Content
          ref={content}
          aria-describedby={undefined}
          className="print-page fixed inset-0 z-30 flex animate-fade flex-col bg-sunken"
          // The dialog itself: a held Enter or Space must not press a button of the bar.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            content.current?.focus();
          }}
          onCloseAutoFocus={returnFocus}
        >
          {bar}
          {children !== null && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
            <section aria-label={label} tabIndex={0} className="print-scroller min-h-0 flex-1 overflow-y-auto">
              {children}
            </section>
          )}
          {beside}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
