import { cx } from "../ui/components/cx.ts";
import { QuestionText } from "./question-text.tsx";

/** `isWanted`: a link or a search names the message; `isUnsent`: the server does not have it. */
type QuestionWordsProps = { text: string; isWanted: boolean; isUnsent: boolean };

/** The text of a question in its bubble. */
export function QuestionWords({ text, isWanted, isUnsent }: QuestionWordsProps) {
  return (
    // Its corner follows the direction of the page, not of its text.
    <div
      dir="auto"
      data-words=""
      className={cx(
        "reading min-w-0 max-w-[92%] rounded-surface rounded-br-small rtl:rounded-br-surface rtl:rounded-bl-small border border-hairline bg-raised px-4 py-2.5 leading-text [overflow-wrap:anywhere] sm:max-w-[85%]",
        isUnsent && "border-outline border-dashed",
      )}
    >
      <QuestionText text={text} isWanted={isWanted} />
    </div>
  );
}
