import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import type { AccountGroup, AccountGroupList } from "#contract/administration/groups.ts";
import { MEGABYTE } from "#contract/limits.ts";
import { costText } from "../../locales/cost-text.ts";
import { sizeText } from "../../locales/size-text.ts";
import { Badge } from "../../page/badge.tsx";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { Link } from "../../ui/components/link.tsx";
import { textLink } from "../../ui/components/text-link.ts";
import { BudgetLine } from "../../usage/budget-line.tsx";
import { DescriptionItem } from "../description-item.tsx";

/** A group with more models shows only their number. */
const NAMED = 8;

type GroupCardProps = {
  group: AccountGroup;
  choices: AccountGroupList["choices"];
  /** Ref of the card, which takes the focus after its form is closed. */
  cardRef?: Ref<HTMLLIElement>;
  /** Absent: the account may not change the group. */
  actions?: { isBusy: boolean; onEdit: () => void; onDelete: () => void } | undefined;
  /** Sentence that says why the account may not change the group. */
  note?: string | undefined;
};

/** A group with its members, models, storage and budgets. */
export function GroupCard({ group, choices, cardRef, actions, note }: GroupCardProps) {
  const { t } = useTranslation("groups");
  const { state }: { state: unknown } = useLocation();
  const { id, name, members } = group;
  return (
    <li
      ref={cardRef}
      id={id}
      tabIndex={-1}
      aria-labelledby={`${id}-name`}
      className="rounded-surface border border-hairline bg-raised p-4 sm:p-5"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-40">
          <h2 id={`${id}-name`} className="font-semibold text-base [overflow-wrap:anywhere]">
            <bdi>{name}</bdi>
          </h2>
          <Link
            to={`/administration/people?group=${id}`}
            state={state}
            className={cx(textLink, "inline-flex min-h-6 items-center text-sm pointer-coarse:min-h-11")}
          >
            {t("members", { count: members })}
          </Link>
        </div>
        {actions && (
          <div className="flex gap-2">
            <Button variant="secondary" size="small" aria-label={t("editLabel", { name })} onClick={actions.onEdit}>
              {t("edit")}
            </Button>
            <Button
              variant="dangerous"
              size="small"
              aria-label={t("deleteLabel", { name })}
              busy={actions.isBusy}
              onClick={actions.onDelete}
            >
              {t("delete")}
            </Button>
          </div>
        )}
      </div>
      {note !== undefined && <p className="mt-2 text-pretty text-muted text-sm">{note}</p>}
      <Facts group={group} choices={choices} />
      {group.budgetState && (
        <div className="mt-5">
          <BudgetLine name={t("facts.budget")} budget={group.budgetState} />
        </div>
      )}
    </li>
  );
}

function Facts({ group, choices }: Pick<GroupCardProps, "group" | "choices">) {
  const { t, i18n } = useTranslation("groups");
  const {
    models,
    unknownModels,
    defaultModel,
    quotaMb,
    budget,
    budgetState,
    memberBudget,
    timeZone,
    needsSecondFactor,
    mayShare,
  } = group;
  const options = choices.flatMap((each) => each.models);
  const labelOf = (value: string) =>
    options.find((option) => option.value === value)?.label ?? value.slice(value.indexOf(":") + 1);
  const money = (amount: number | null) => (amount === null ? t("facts.none") : costText(amount, false, i18n.language));
  return (
    <dl className="mt-4 grid gap-x-6 gap-y-4 sm:grid-cols-2">
      <DescriptionItem name={t("facts.models")} className="sm:col-span-2">
        {models === null && t("facts.allModels")}
        {models !== null && models.length > NAMED && t("facts.count", { count: models.length })}
        {models !== null && models.length <= NAMED && models.map(labelOf).join(", ")}
        {unknownModels.length > 0 && (
          <span className="mt-1 block">
            <Badge tone="warning">{t("facts.unknown", { count: unknownModels.length })}</Badge>
          </span>
        )}
      </DescriptionItem>
      <DescriptionItem name={t("facts.default")}>
        {defaultModel === null ? t("facts.automatic") : labelOf(defaultModel)}
      </DescriptionItem>
      <DescriptionItem name={t("facts.quota")}>
        {quotaMb === null ? t("facts.serverQuota") : sizeText(quotaMb * MEGABYTE, i18n.language)}
      </DescriptionItem>
      {!budgetState && <DescriptionItem name={t("facts.budget")}>{money(budget)}</DescriptionItem>}
      <DescriptionItem name={t("facts.memberBudget")}>{money(memberBudget)}</DescriptionItem>
      {(budget !== null || memberBudget !== null) && (
        <DescriptionItem name={t("facts.timeZone")}>{timeZone}</DescriptionItem>
      )}
      {needsSecondFactor && (
        <DescriptionItem name={t("facts.secondFactor")}>{t("facts.secondFactorNeeded")}</DescriptionItem>
      )}
      {!mayShare && <DescriptionItem name={t("facts.shares")}>{t("facts.sharesOff")}</DescriptionItem>}
    </dl>
  );
}
