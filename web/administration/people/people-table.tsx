import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import type { AccountState, ListedAccount } from "#contract/administration.ts";
import { MEGABYTE } from "#contract/limits.ts";
import { personName } from "../../accounts/person-name.ts";
import { sizeText } from "../../locales/size-text.ts";
import { TimeAgo } from "../../settings/time-ago.tsx";
import { cx } from "../../ui/components/cx.ts";
import { textLink } from "../../ui/components/text-link.ts";
import { Badge } from "../badge.tsx";

const head = "px-3 py-2.5 font-medium text-muted text-xs";
const cell = "px-3 py-3";
const number = "whitespace-nowrap text-end tabular-nums";

/** Tones of the states that need attention. */
export const stateTones: Record<AccountState, "plain" | "warning" | "danger"> = {
  active: "plain",
  unverified: "warning",
  disabled: "danger",
  leaving: "danger",
};

type PeopleTableProps = {
  accounts: readonly ListedAccount[];
  selected: ReadonlySet<string>;
  onSelect: (ids: readonly string[], isSelected: boolean) => void;
};

/** People with their roles and states. On a phone, the last columns stand below the name. */
export function PeopleTable({ accounts, selected, onSelect }: PeopleTableProps) {
  const { t } = useTranslation("administration");
  const isAll = accounts.length > 0 && accounts.every(({ id }) => selected.has(id));
  return (
    <div className="mt-3 overflow-x-auto rounded-surface border border-hairline bg-raised">
      <table aria-label={t("people.list")} className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-hairline border-b">
            <th scope="col" className="w-0 ps-1">
              <Check
                label={t("people.selectAll")}
                isChecked={isAll}
                onChange={(isChecked) =>
                  onSelect(
                    accounts.map(({ id }) => id),
                    isChecked,
                  )
                }
              />
            </th>
            <th scope="col" className={cx(head, "ps-1 text-start")}>
              {t("people.name")}
            </th>
            <th scope="col" className={cx(head, "text-start max-sm:hidden")}>
              {t("people.role")}
            </th>
            <th scope="col" className={cx(head, "text-end max-sm:hidden")}>
              {t("people.seen")}
            </th>
            <th scope="col" className={cx(head, "pe-4 text-end max-sm:hidden")}>
              {t("people.stored")}
            </th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <PersonRow
              key={account.id}
              account={account}
              isSelected={selected.has(account.id)}
              onSelect={(isSelected) => onSelect([account.id], isSelected)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type PersonRowProps = { account: ListedAccount; isSelected: boolean; onSelect: (isSelected: boolean) => void };

function PersonRow({ account, isSelected, onSelect }: PersonRowProps) {
  const { t, i18n } = useTranslation("administration");
  const { state }: { state: unknown } = useLocation();
  const name = personName(account);
  const size = sizeText(account.storedBytes, i18n.language);
  return (
    <tr id={account.id} tabIndex={-1} className={cx("border-hairline border-t", isSelected && "bg-accent-soft")}>
      <td className="w-0 ps-1 align-top">
        <Check label={t("people.select", { name })} isChecked={isSelected} onChange={onSelect} />
      </td>
      <th scope="row" className={cx(cell, "w-full max-w-0 ps-1 text-start font-normal")}>
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            to={`/administration/people/${account.id}`}
            state={state}
            className={cx(textLink, "min-w-0 break-words font-medium")}
          >
            <span dir="auto">{name}</span>
          </Link>
          {account.group && (
            <Badge>
              <bdi>{account.group.name}</bdi>
            </Badge>
          )}
          {account.state !== "active" && <Badge tone={stateTones[account.state]}>{t(`states.${account.state}`)}</Badge>}
          {account.role !== "person" && (
            <span className="sm:hidden">
              <Badge tone="accent">{t(`roles.${account.role}`)}</Badge>
            </span>
          )}
        </span>
        <span dir="ltr" className="block truncate text-start text-muted rtl:text-end">
          {account.username} · {account.email}
        </span>
        <span className="block text-muted sm:hidden">
          <Seen account={account} /> · {size}
        </span>
      </th>
      <td className={cx(cell, "whitespace-nowrap max-sm:hidden")}>
        {account.role === "person" ? (
          <span className="text-muted">{t("roles.person")}</span>
        ) : (
          <Badge tone="accent">{t(`roles.${account.role}`)}</Badge>
        )}
      </td>
      <td className={cx(cell, number, "max-sm:hidden")}>
        <Seen account={account} />
      </td>
      <td className={cx(cell, number, "pe-4 max-sm:hidden")}>
        {size}
        <Quota account={account} />
      </td>
    </tr>
  );
}

function Seen({ account: { lastSeenAt } }: { account: ListedAccount }) {
  const { t } = useTranslation("administration");
  if (lastSeenAt === undefined) return t("people.never");
  return <TimeAgo at={lastSeenAt} sentence={(time) => time} />;
}

/** The quota of an account, if it is not the server's, and whether it is the group's. */
function Quota({ account: { quotaMb, groupQuotaMb } }: { account: ListedAccount }) {
  const { t, i18n } = useTranslation("groups");
  const mb = quotaMb ?? groupQuotaMb;
  if (mb === undefined) return null;
  const quota = sizeText(mb * MEGABYTE, i18n.language);
  return (
    <span className="block text-muted text-xs">
      {quotaMb === undefined ? t("person.listGroup", { quota }) : t("person.listOwn", { quota })}
    </span>
  );
}

type CheckProps = { label: string; isChecked: boolean; onChange: (isChecked: boolean) => void };

function Check({ label, isChecked, onChange }: CheckProps) {
  return (
    <label className="flex size-11 cursor-pointer items-center justify-center">
      <input
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4.5 cursor-pointer accent-accent"
      />
    </label>
  );
}
