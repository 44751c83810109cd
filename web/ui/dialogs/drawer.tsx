import "./drawer.css";
import { Dialog as Radix } from "radix-ui";
import { useEffect, useEffectEvent, useMemo } from "react";
import { type DialogProps, lowOverlayClass } from "./dialog.tsx";
import { DrawerSwipe } from "./drawer-swipe.ts";
import { useBackGesture } from "./use-back-gesture.ts";
import { useReturnFocus } from "./use-return-focus.ts";

/** Using a notification must not close the drawer below it. */
const keepForToaster = (event: Event) => {
  const { target } = event;
  // The button of a closed notification is no longer in the document.
  if (target instanceof Element && (!target.isConnected || target.closest(".toaster"))) event.preventDefault();
};

/** Escape in a field belongs to the field and must not close the drawer. */
const keepForField = (event: KeyboardEvent) => {
  if (event.target instanceof HTMLInputElement) event.preventDefault();
};

export type DrawerProps = Pick<DialogProps, "isOpen" | "onOpenChange" | "children"> & {
  /** Accessible name. */
  label: string;
};

/** Panel over the start side of the screen: the sidebar on a phone. A swipe over the main area opens and closes it. */
export function Drawer({ isOpen, onOpenChange, label, children }: DrawerProps) {
  const returnFocus = useReturnFocus(isOpen);
  const change = useEffectEvent(onOpenChange);
  const swipe = useMemo(() => new DrawerSwipe(), []);
  useBackGesture(isOpen);
  useEffect(() => swipe.follow((open) => change(open)), [swipe]);
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay ref={swipe.setVeil} className={lowOverlayClass} />
        <Radix.Content
          ref={swipe.setPanel}
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          onInteractOutside={keepForToaster}
          onEscapeKeyDown={keepForField}
          className="drawer fixed start-0 top-0 bottom-(--keyboard) z-30 flex flex-col bg-sunken shadow-float"
        >
          <Radix.Title className="sr-only">{label}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
