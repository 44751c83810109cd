import { Info } from "lucide-react";
import type { ReactNode } from "react";
import { CloseButton } from "../ui/components/close-button.tsx";

type NoticeStripProps = {
  /** Called by the close button, which is shown only with this callback. */
  onDismiss?: (() => void) | undefined;
  children: ReactNode;
};

/** Strip above a whole page, as wide as the window, which screen readers announce politely. */
export function NoticeStrip({ onDismiss, children }: NoticeStripProps) {
  return (
    <div
      role="status"
      className="flex animate-appear items-start gap-3 border-accent/35 border-b bg-accent-soft ps-4 pe-3 pt-[max(0.5rem,env(safe-area-inset-top))] pb-2 text-sm leading-text"
    >
      <div className="flex min-w-0 flex-1 gap-2.5 py-1 sm:justify-center">
        <Info aria-hidden="true" className="mt-[0.2em] size-4 shrink-0 text-accent" />
        <div className="min-w-0 max-w-[52rem]">{children}</div>
      </div>
      {onDismiss && <CloseButton className="shrink-0 pointer-coarse:-my-1.5" onClick={onDismiss} />}
    </div>
  );
}
