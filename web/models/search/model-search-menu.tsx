import { Dialog, Popover } from "radix-ui";
import { type ReactElement, type ReactNode, useState } from "react";
import { CloseButton } from "../../ui/components/close-button.tsx";
import { useLandmark } from "../../ui/components/landmark.tsx";
import { overlayClass } from "../../ui/dialogs/dialog.tsx";
import { useBackGesture } from "../../ui/dialogs/use-back-gesture.ts";
import { isComposing } from "../../ui/keys/press.ts";
import { ModelSearchPanel } from "./model-search-panel.tsx";
import type { ModelSearchInput } from "./use-model-search.ts";

export type ModelSearchMenuProps = ModelSearchInput & {
  /** Accessible name of the surface. */
  label: string;
  trigger: ReactElement;
};

const isNarrow = () => window.matchMedia("(width < 40rem)").matches;

/** The long list of models: a popover at its button, and a sheet on a phone. Open on mount: its button was pressed. */
export default function ModelSearchMenu({ label, trigger, onChoose, ...input }: ModelSearchMenuProps) {
  const [isOpen, setOpen] = useState(true);
  const [isSheet, setSheet] = useState(isNarrow);
  const onOpenChange = (next: boolean) => {
    if (next) setSheet(isNarrow());
    setOpen(next);
  };
  const choose = (value: string) => {
    setOpen(false);
    onChoose(value);
  };
  const Surface = isSheet ? Sheet : Floating;
  return (
    <Surface label={label} trigger={trigger} isOpen={isOpen} onOpenChange={onOpenChange}>
      <ModelSearchPanel {...input} onChoose={choose} close={isSheet && <SheetClose />} />
    </Surface>
  );
}

type SurfaceProps = {
  label: string;
  trigger: ReactElement;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  children: ReactNode;
};

/** Escape that ends a composition closes nothing. */
const onEscapeKeyDown = (event: KeyboardEvent) => isComposing(event) && event.preventDefault();

function Floating({ label, trigger, isOpen, onOpenChange, children }: SurfaceProps) {
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
          className="z-40 flex h-[32rem] max-h-(--radix-popover-content-available-height) w-[26rem] max-w-[calc(100vw-1rem)] animate-appear flex-col overflow-hidden rounded-surface border border-hairline bg-raised shadow-float outline-none"
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
