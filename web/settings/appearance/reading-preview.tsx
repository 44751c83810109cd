import "../../conversation/conversation.css";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { Appearance } from "../../ui/appearance/appearance.ts";
import { applyReadingFont, loadReadingFont, typefaceOf } from "../../ui/appearance/reading-font.ts";

/** Line of code that overflows its box, as tokens with their colour. */
const CODE = [
  ["keyword", "const"],
  ["plain", " sky = "],
  ["function", "scatter"],
  ["plain", "(light).filter("],
  ["plain", "(wave) => wave.length < "],
  ["number", "500"],
  ["plain", "); "],
  ["comment", "// nm, which we see as blue"],
] as const;

/** Sample conversation in the chosen appearance, which the style sheet applies. */
export function ReadingPreview({ typeface, wrapsCode }: Pick<Appearance, "typeface"> & { wrapsCode: boolean }) {
  const { t } = useTranslation("appearance");
  const answer = t("reading.answer");
  useEffect(() => {
    if (typeface === "serif") loadReadingFont(answer).then(applyReadingFont, () => undefined);
  }, [typeface, answer]);
  return (
    <figure aria-label={t("reading.preview")} className="rounded-t-surface bg-page px-4 py-5 sm:px-6">
      <p className="reading ms-auto w-fit max-w-[85%] rounded-surface border border-hairline bg-raised px-4 py-2.5 leading-text">
        {t("reading.question")}
      </p>
      <div className="reply mt-4" data-typeface={typefaceOf(answer)}>
        <p>{answer}</p>
        <p>
          <em>{t("reading.aside")}</em>
        </p>
        <div className="reply-code" data-wrapped={wrapsCode}>
          <pre dir="ltr" tabIndex={wrapsCode ? undefined : 0}>
            <code>
              {CODE.map(([colour, text]) => (
                <span key={text} className={colours[colour]}>
                  {text}
                </span>
              ))}
            </code>
          </pre>
        </div>
      </div>
    </figure>
  );
}

const colours = {
  plain: undefined,
  keyword: "text-(--code-keyword)",
  function: "text-(--code-function)",
  number: "text-(--code-number)",
  comment: "text-(--code-comment)",
};
