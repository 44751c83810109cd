import { Dialog, Popover } from "radix-ui";
import { type ReactElement, type ReactNode, useState } from "react";
import { CloseButton } from "../components/close-button.tsx";
import { cx } from "../components/cx.ts";
import { useLandmark } from "../components/landmark.tsx";
import { isComposing } from "../keys/press.ts";
import { overlayClass } from "./dialog.tsx";
import { useBackGesture } from "./use-back-gesture.ts";

type FloatingSheetProps = {
  /** Accessible name of the surface. */
  label: string;
  /** The button that opens it. */
  trigger: ReactElement;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Classes of the popover's height. */
  floatingClass: string;
  /** `close`: the button that closes a sheet; false in a popover. */
  children: (close: ReactNode) => ReactNode;
};

const isNarrow = () => window.matchMedia("(width < 40rem)").matches;

/** Surface of a button for more than a menu holds: a popover at the button, and a sheet on a phone. */
export function FloatingSheet({ children, onOpenChange, ...surface }: FloatingSheetProps) {
  const [isSheet, setSheet] = useState(isNarrow);
  const change = (next: boolean) => {
    if (next) setSheet(isNarrow());
    onOpenChange(next);
  };
  const Surface = isSheet ? Sheet : Floating;
  return (
    <Surface {...surface} onOpenChange={change}>
      {children(isSheet && <SheetClose />)}
    </Surface>
  );
}

type SurfaceProps = Omit<FloatingSheetProps, "children"> & { children: ReactNode };

/** Escape that ends a composition closes nothing. */
const onEscapeKeyDown = (event: KeyboardEvent) => isComposing(event) && event.preventDefault();

function Floating({ label, trigger, isOpen, onOpenChange, floatingClass, children }: SurfaceProps) {
  const landmark = useLandmark();
  return (
    <Popover.Root open={isOpen} onOpenChange={onOpenChange}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal container={landmark}>
        <Popover.Content
          onEscapeKeyDown={onEscapeKeyDown}
          side="top"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
          className={cx(
            "z-40 flex max-h-(--radix-popover-content-available-height) w-[26rem] max-w-[calc(100vw-1rem)] animate-appear flex-col",
            "overflow-hidden rounded-surface border border-hairline bg-raised shadow-float outline-none",
            floatingClass,
          )}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Sheet({ label, trigger, isOpen, onOpenChange, children }: SurfaceProps) {
  useBackGesture(isOpen);
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <Dialog.Trigger asChild>{trigger}</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className={overlayClass} />
        <Dialog.Content
          onEscapeKeyDown={onEscapeKeyDown}
          aria-describedby={undefined}
          className="fixed inset-x-0 bottom-(--keyboard) z-40 flex h-[75dvh] max-h-[calc(100dvh-3rem-var(--keyboard))] animate-appear flex-col rounded-t-surface border-hairline border-t bg-raised ps-(--safe-start) pe-(--safe-end) pb-[env(safe-area-inset-bottom)] shadow-float outline-none"
        >
          <Dialog.Title className="sr-only">{label}</Dialog.Title>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const SheetClose = () => (
  <Dialog.Close asChild>
    <CloseButton size="medium" />
  </Dialog.Close>
);
