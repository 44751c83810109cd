import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { CloseButton } from "../components/close-button.tsx";
import { cx } from "../components/cx.ts";
import { NoLandmark } from "../components/landmark.tsx";
import { isComposing } from "../keys/press.ts";
import { useBackGesture } from "./use-back-gesture.ts";
import { useReturnFocus } from "./use-return-focus.ts";

/** Same z-index as dialogs: the overlay of a dialog that opens over another covers that one too. */
export const overlayClass = "fixed inset-0 z-40 animate-fade bg-veil";
/** Overlay of the drawer and of viewers that fill the window, which notifications are in front of. */
export const lowOverlayClass = "fixed inset-0 z-30 animate-fade bg-veil";
export const dialogClass =
  "fixed top-[calc((100dvh-var(--keyboard))/2)] left-1/2 z-40 max-h-[calc(100dvh-2rem-var(--keyboard))] w-[calc(100%-2rem)] max-w-dialog -translate-1/2 " +
  "overflow-y-auto rounded-surface border border-hairline bg-raised p-6 shadow-float animate-fade";

export type DialogProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: string;
  description?: string;
  /** Prevents closing while an action of the dialog is running. */
  isHeld?: boolean;
  /** Wider, for content in columns. */
  isWide?: boolean;
  children: ReactNode;
};

export function Dialog({ isOpen, onOpenChange, title, description, isHeld = false, isWide, children }: DialogProps) {
  const returnFocus = useReturnFocus(isOpen);
  useBackGesture(isOpen);
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !isHeld && onOpenChange(open)}>
      <Radix.Portal>
        <Radix.Overlay className={overlayClass} />
        <Radix.Content
          className={cx(dialogClass, isWide && "sm:max-w-[48rem]")}
          onCloseAutoFocus={returnFocus}
          // Escape that cancels a composition in a field does not close the dialog.
          onEscapeKeyDown={(event) => isComposing(event) && event.preventDefault()}
          {...(description ? {} : { "aria-describedby": undefined })}
        >
          <Radix.Title className="pe-10 font-semibold text-lg">{title}</Radix.Title>
          {description && <Radix.Description className="mt-2 text-muted text-sm">{description}</Radix.Description>}
          <div className="mt-4">
            <NoLandmark>{children}</NoLandmark>
          </div>
          <DialogClose isHeld={isHeld} className="absolute end-3 top-3" />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The button that closes the surrounding dialog. */
export function DialogClose({ isHeld = false, className }: { isHeld?: boolean; className?: string }) {
  return (
    <Radix.Close asChild>
      <CloseButton aria-disabled={isHeld || undefined} className={cx(className, isHeld && "opacity-45")} />
    </Radix.Close>
  );
}
