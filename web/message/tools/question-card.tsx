import { CircleAlert, Hammer } from "lucide-react";
import { type ReactNode, useId, useRef } from "react";
import { useNoteLostFocus, useTakeLostFocus } from "./lost-focus.ts";

type QuestionCardProps = {
  title: string;
  /** Lines below the title. */
  text?: ReactNode;
  /** Key of the calls at its position. */
  calls: string;
  /** Sentence of a failure. */
  error?: string | null;
  children: ReactNode;
};

/** Card in an answer that asks the person about a call. */
export function QuestionCard({ title, text, calls, error = null, children }: QuestionCardProps) {
  const id = useId();
  const card = useRef<HTMLDivElement>(null);
  useNoteLostFocus(card, calls);
  useTakeLostFocus(card, calls);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form
    <div
      ref={card}
      role="group"
      // The card itself receives the focus of one before it: a key that is held down must not decide on this one.
      tabIndex={-1}
      aria-labelledby={id}
      className="grid max-w-measure grid-cols-1 gap-2.5 rounded-control border border-accent/35 bg-accent-soft px-3 py-2.5 text-ink text-sm leading-text focus-visible:outline-2 focus-visible:outline-accent focus-visible:outline-offset-2"
    >
      <div className="flex items-start gap-2.5">
        <Hammer aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent" />
        <div className="min-w-0 [overflow-wrap:anywhere]">
          <div id={id} className="font-medium">
            {title}
          </div>
          {text}
        </div>
      </div>
      {children}
      <div role="alert" className="flex items-start gap-2 text-danger empty:hidden">
        {error !== null && (
          <>
            <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            <span className="min-w-0">{error}</span>
          </>
        )}
      </div>
    </div>
  );
}
