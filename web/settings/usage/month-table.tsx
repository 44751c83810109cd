import { useTranslation } from "react-i18next";
import type { ModelUsage, MonthUsage } from "#contract/models/usage.ts";
import { costText } from "../../locales/cost-text.ts";
import { cx } from "../../ui/components/cx.ts";
import { tooltip } from "../../ui/tooltips/tooltip.ts";
import { modelName, monthText, shareTexts, tokensText } from "../../usage/usage-words.ts";

const head = "px-2 py-2.5 font-medium text-muted text-xs first:ps-4 last:pe-4 sm:px-3 sm:first:ps-5 sm:last:pe-5";
const cell = "px-2 py-3 first:ps-4 last:pe-4 sm:px-3 sm:first:ps-5 sm:last:pe-5";
const number = "whitespace-nowrap text-end tabular-nums";

/** Usage of each model in a month, with the total. */
export function MonthTable({ usage }: { usage: MonthUsage }) {
  const { t, i18n } = useTranslation("usage");
  const month = monthText(usage.month, i18n.language);
  return (
    <section aria-label={month} className="mt-6">
      <h2 className="font-semibold text-base">{month}</h2>
      <div className="mt-3 overflow-x-auto rounded-surface border border-hairline bg-raised">
        <table className="w-full border-collapse text-sm">
          <thead>
            <tr className="border-hairline border-b">
              <th scope="col" className={cx(head, "text-start")}>
                {t("model")}
              </th>
              {(["input", "output", "cost"] as const).map((name) => (
                <th key={name} scope="col" className={cx(head, "text-end sm:whitespace-nowrap")}>
                  {t(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {usage.models.map((each) => (
              <Line key={each.model} name={modelName(each.model)} usage={each} />
            ))}
          </tbody>
          {usage.models.length > 1 && (
            <tfoot className="font-medium">
              <Line name={t("total")} usage={usage} />
            </tfoot>
          )}
        </table>
      </div>
    </section>
  );
}

type LineProps = { name: string; usage: Omit<ModelUsage, "model"> };

function Line({ name, usage }: LineProps) {
  const { t, i18n } = useTranslation("usage");
  const { calls, inputTokens, outputTokens, estimated, cost } = usage;
  const isEstimate = estimated > 0;
  const shares = shareTexts(usage, i18n.language);
  return (
    <>
      <tr className="border-hairline border-t">
        <th scope="row" className={cx(cell, "w-full max-w-0 text-start font-medium")}>
          <span dir="auto" className="own-way block truncate" {...tooltip(name, { isForCutText: true })}>
            {name}
          </span>
          <span className="block font-normal text-muted text-xs">{t("callCount", { count: calls })}</span>
        </th>
        <td className={cx(cell, number)}>{tokensText(inputTokens, isEstimate, i18n.language)}</td>
        <td className={cx(cell, number)}>{tokensText(outputTokens, isEstimate, i18n.language)}</td>
        <td className={cx(cell, number)}>{costText(cost, isEstimate, i18n.language)}</td>
      </tr>
      <SharesLine input={shares.input} output={shares.output} />
    </>
  );
}

/** Shares of the tokens in the row above, in a row of their own: a column is too narrow for them on a phone. */
function SharesLine({ input, output }: { input: string[]; output: string[] }) {
  const { t } = useTranslation("usage");
  const sides = [
    { name: t("input"), texts: input },
    { name: t("output"), texts: output },
  ].filter(({ texts }) => texts.length > 0);
  if (sides.length === 0) return null;
  return (
    <tr>
      <td colSpan={4} className={cx(cell, "pt-0 font-normal text-muted text-xs leading-text")}>
        {sides.map(({ name, texts }) => (
          <span key={name} className="block">
            {name}: {texts.join(", ")}
          </span>
        ))}
      </td>
    </tr>
  );
}
