import { Check } from "lucide-react";

/** Inline success message. Its live region is always mounted, so that screen readers announce the text. */
export function FormStatus({ text }: { text: string | null }) {
  return (
    <p role="status" className="min-w-0 text-sm">
      {text !== null && (
        <span className="flex animate-fade items-start gap-1.5">
          <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-success" />
          <span className="leading-text">{text}</span>
        </span>
      )}
    </p>
  );
}

/** {@link FormStatus} as the last row of a card; the row is visually hidden while there is no text. */
export function FormStatusLine({ text }: { text: string | null }) {
  return (
    <div className={text === null ? "sr-only" : "border-hairline border-t px-4 py-3 sm:px-5"}>
      <FormStatus text={text} />
    </div>
  );
}
