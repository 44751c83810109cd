import { useId, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { hasCostlyRun } from "#contract/text/costly-runs.ts";
import { useKeepPosition } from "../scroll/keep-position.ts";
import { Button } from "../ui/components/button.tsx";
import { cx } from "../ui/components/cx.ts";
import { type QuestionPiece, questionPieces } from "./question-pieces.ts";

/** A question of more lines is folded. */
const MAX_LINES = 12;
/** A question of more UTF-16 units has more than {@link MAX_LINES} lines in the widest column. */
const MAX_UNITS = 12 * 75;

/** The text of a question, with code as code. A long one is folded, unless a link or a search names it. */
export function QuestionText({ text, isWanted }: { text: string; isWanted: boolean }) {
  const { t } = useTranslation("chat");
  const id = useId();
  const isLong = useMemo(() => text.length > MAX_UNITS || text.split("\n", MAX_LINES + 1).length > MAX_LINES, [text]);
  const isCostly = useMemo(() => hasCostlyRun(text), [text]);
  const [isUnfolded, setUnfolded] = useState(false);
  const keepPosition = useKeepPosition();
  const words = useRef<HTMLDivElement>(null);
  const toggle = (button: Element) => {
    // A reader goes on below the words that were shown, and folds them where the button is.
    keepPosition(isUnfolded ? button : words.current);
    setUnfolded(!isUnfolded);
  };
  if (isWanted && !isUnfolded) setUnfolded(true);
  const isFolded = isLong && !isUnfolded;
  return (
    <>
      <div
        ref={words}
        id={id}
        // The browser's own search scrolls the folded text to its hit.
        onScroll={() => setUnfolded(true)}
        className={cx("whitespace-pre-wrap", isFolded && "question-folded", isCostly && "simple-shaping")}
      >
        <QuestionPieces text={text} />
      </div>
      {isLong && (
        <Button
          variant="quiet"
          size="small"
          aria-expanded={!isFolded}
          aria-controls={id}
          className="question-fold -ms-2.5 mt-1 px-2.5 text-muted"
          onClick={({ currentTarget }) => toggle(currentTarget)}
        >
          {t(isFolded ? "messages.more" : "messages.less")}
        </Button>
      )}
    </>
  );
}

/** The text of a question, with code as code. */
export function QuestionPieces({ text }: { text: string }) {
  return useMemo(() => questionPieces(text), [text]).map(pieceElement);
}

function pieceElement({ kind, text }: QuestionPiece, nth: number) {
  if (kind === "text") return text;
  // The text of a question never changes, so that its pieces keep their indexes.
  const key = `${nth}`;
  return kind === "code" ? (
    <code key={key} dir="auto" className="question-code">
      {text}
    </code>
  ) : (
    <pre key={key} dir="ltr" className="question-code">
      <code>{text}</code>
    </pre>
  );
}
