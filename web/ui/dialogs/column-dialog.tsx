import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "../components/cx.ts";
import { NoLandmark } from "../components/landmark.tsx";
import { isComposing } from "../keys/press.ts";
import { DialogClose, type DialogProps, overlayClass } from "./dialog.tsx";
import { useBackGesture } from "./use-back-gesture.ts";
import { useReturnFocus } from "./use-return-focus.ts";

type ColumnDialogProps = Omit<DialogProps, "isOpen"> & { children: ReactNode };

/** Dialog whose content scrolls itself, with room for two columns if it is wide. On a phone it is a sheet. */
export function ColumnDialog({
  onOpenChange,
  title,
  description,
  isHeld = false,
  isWide,
  children,
}: ColumnDialogProps) {
  const returnFocus = useReturnFocus(true);
  useBackGesture(true);
  return (
    <Radix.Root open onOpenChange={(open) => !isHeld && onOpenChange(open)}>
      <Radix.Portal>
        <Radix.Overlay className={overlayClass} />
        <Radix.Content
          className={cx(
            "fixed inset-x-0 bottom-(--keyboard) z-40 flex max-h-[calc(100dvh-1rem-var(--keyboard))] animate-fade flex-col overflow-hidden",
            "rounded-t-surface border-hairline border-t bg-raised ps-(--safe-start) pe-(--safe-end) shadow-float outline-none",
            "md:inset-auto md:top-1/2 md:left-1/2 md:max-h-[calc(100dvh-2rem)] md:w-[calc(100%-2rem)] md:-translate-1/2 md:rounded-surface md:border",
            isWide ? "max-md:top-[max(1rem,env(safe-area-inset-top))] md:max-w-[68rem]" : "md:max-w-[32rem]",
          )}
          onCloseAutoFocus={returnFocus}
          onEscapeKeyDown={(event) => isComposing(event) && event.preventDefault()}
          {...(description ? {} : { "aria-describedby": undefined })}
        >
          <div className="border-hairline border-b px-4 py-3.5 sm:px-6">
            <Radix.Title className="pe-10 font-semibold text-lg">{title}</Radix.Title>
            {description && (
              <div className="pe-10">
                <Radix.Description dir="auto" className="own-way truncate text-muted text-sm">
                  {description}
                </Radix.Description>
              </div>
            )}
          </div>
          <NoLandmark>{children}</NoLandmark>
          <DialogClose isHeld={isHeld} className="absolute end-3 top-3" />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
