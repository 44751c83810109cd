import { useState } from "react";
import { useTranslation } from "react-i18next";
import { modelPaths } from "#contract/models/paths.ts";
import { type MonthUsage, usageSchema } from "#contract/models/usage.ts";
import { api } from "../../api/client.ts";
import { longDate } from "../../locales/times.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { accountQuery } from "../../queries/query.ts";
import { useQuery } from "../../queries/use-query.ts";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { MonthBars } from "./month-bars.tsx";
import { MonthTable } from "./month-table.tsx";
import { OwnBudgetsSection } from "./own-budgets-section.tsx";

const usageQuery = accountQuery((signal) => api.get(modelPaths.usage, usageSchema, { signal }));

/** Usage of the account by month. */
export default function UsagePage() {
  const { t } = useTranslation("usage");
  const { value, error, reload } = useQuery(usageQuery);
  return (
    <div className="mt-2">
      <p className="text-pretty text-muted leading-text">{t("text")}</p>
      <div className="mt-8">
        {error !== null && <LoadFailure error={error} onRetry={() => void reload()} />}
        {error === null && value === null && <LinesLoading lines={4} />}
        {value !== null && <OwnBudgetsSection budgets={value.budgets} />}
        {value !== null && <Months months={value.months} pricesAsOf={value.pricesAsOf} />}
      </div>
    </div>
  );
}

function Months({ months, pricesAsOf }: { months: MonthUsage[]; pricesAsOf: string }) {
  const { t, i18n } = useTranslation("usage");
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = months.find(({ month }) => month === chosen) ?? months[0];
  if (!shown) return null;
  const { estimated, unpriced } = shown;
  return (
    <>
      <MonthBars months={months} shown={shown.month} onShow={setChosen} />
      {shown.calls === 0 ? (
        <EmptyState
          title={t("empty")}
          text={t("emptyText")}
          className="mt-6 rounded-surface border border-hairline border-dashed px-6 py-10"
        />
      ) : (
        <MonthTable usage={shown} />
      )}
      <div className="mt-4 flex flex-col gap-1 text-pretty text-muted text-xs leading-text">
        {estimated > 0 && <p>{t("about")}</p>}
        {unpriced > 0 && <p>{t("unpriced")}</p>}
        <p>{t("priced", { date: longDate(Date.parse(`${pricesAsOf}T12:00`), i18n.language) })}</p>
      </div>
    </>
  );
}
