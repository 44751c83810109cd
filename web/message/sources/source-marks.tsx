import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { TextMark } from "../../markdown/text-marks.ts";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import type { Citation } from "./citations.ts";

const cardModule = lazyModule(() => import("./source-card.tsx"));

/** Returns the marks of citations in the text: those at one position are one mark, such as `[1, 2]`. */
export function sourceMarksOf(citations: readonly Citation[]): TextMark[] {
  return [...Map.groupBy(citations, ({ at }) => at)].map(([at, of]) => ({
    at,
    render: (mark) => <SourceMarks mark={mark} citations={of} />,
  }));
}

/** A mark, whose characters stay as they are; each of its numbers that has a source is a button. */
function SourceMarks({ mark, citations }: { mark: string; citations: readonly Citation[] }) {
  const sourceOf = (number: string) => citations.find(({ source }) => Number(source) === Number(number));
  const only = /^\[(\d+)\]$/.exec(mark)?.[1];
  const pieces = mark.matchAll(only === undefined ? /\d+|\D+/g : /.+/gs);
  return (
    <sup className="source-marks">
      {Array.from(pieces, ({ 0: piece, index: start }) => {
        const citation = /\d/.test(piece) ? sourceOf(only ?? piece) : undefined;
        return citation ? <SourceMark key={start} text={piece} citation={citation} /> : piece;
      })}
    </sup>
  );
}

function SourceMark({ text, citation }: { text: string; citation: Citation }) {
  const { t } = useTranslation("parts");
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const card = useLazyModule(cardModule, isOpen, () => setOpen(false));
  const { source, title, checked } = citation;
  const names = { number: source, title: title || citation.url };
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={checked === "missing" ? t("sources.markMissing", names) : t("sources.mark", names)}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className="source-mark"
        data-checked={checked}
        onClick={() => setOpen(!isOpen)}
      >
        {text}
      </button>
      {card && <card.default citation={citation} anchor={button} onClose={() => setOpen(false)} />}
    </>
  );
}
