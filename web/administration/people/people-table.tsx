import { Building2, Fingerprint, KeyRound, Link2, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import type { AccountState, ListedAccount, SignInWay } from "#contract/administration/administration.ts";
import { MEGABYTE } from "#contract/limits.ts";
import { personName } from "../../accounts/person-name.ts";
import { costText } from "../../locales/cost-text.ts";
import { sizeText } from "../../locales/size-text.ts";
import { Badge } from "../../page/badge.tsx";
import { TimeAgo } from "../../page/time-ago.tsx";
import { cx } from "../../ui/components/cx.ts";
import { Link } from "../../ui/components/link.tsx";
import { textLink } from "../../ui/components/text-link.ts";
import { tooltip } from "../../ui/tooltips/tooltip.ts";

const head = "px-3 py-1 font-medium text-muted text-xs";
const cell = "px-3 py-3";
const number = "whitespace-nowrap text-end tabular-nums";

/** Tones of the states that need attention. */
export const stateTones: Record<AccountState, "plain" | "warning" | "danger"> = {
  active: "plain",
  unverified: "warning",
  disabled: "danger",
  leaving: "danger",
};

/** Columns that need a wider window than a phone's; their values are also below the name where that is narrower. */
const columns = {
  role: "max-sm:hidden",
  cost: "max-sm:hidden",
  seen: "max-lg:hidden",
  replies: "max-lg:hidden",
  stored: "max-lg:hidden",
};

type PeopleTableProps = {
  accounts: readonly ListedAccount[];
  selected: ReadonlySet<string>;
  onSelect: (ids: readonly string[], isSelected: boolean) => void;
  /** Takes the place of the table's head while people are selected, and stays in view. */
  bar: ReactNode;
};

/** People with their roles, states and sums of the month. */
export function PeopleTable({ accounts, selected, onSelect, bar }: PeopleTableProps) {
  const { t, i18n } = useTranslation("administration");
  const month = new Intl.DateTimeFormat(i18n.language, { month: "long", timeZone: "UTC" }).format(Date.now());
  const ids = accounts.map(({ id }) => id);
  const isAll = ids.length > 0 && ids.every((id) => selected.has(id));
  const isSelecting = selected.size > 0;
  return (
    <div className="relative mt-3 rounded-surface border border-hairline bg-raised text-sm">
      {/* As high as the head that it covers, so that no row moves. */}
      <div
        className={cx(
          "-mb-12 flex h-12 items-center rounded-t-surface ps-1",
          isSelecting ? "sticky top-0 z-10 border-hairline border-b bg-raised" : "pointer-events-none relative",
        )}
      >
        <Check
          label={t("people.selectAll")}
          isChecked={isAll}
          onChange={(isChecked) => onSelect(ids, isChecked)}
          className="pointer-events-auto"
        />
        {isSelecting && bar}
      </div>
      <table aria-label={t("people.list")} className="w-full border-collapse">
        <thead>
          <tr className="h-12 border-hairline border-b">
            <td className="w-0" />
            <th scope="col" className={cx(head, "ps-1 text-start")}>
              {t("people.name")}
            </th>
            <th scope="col" className={cx(head, "text-start", columns.role)}>
              {t("people.role")}
            </th>
            <th scope="col" className={cx(head, "text-end", columns.seen)}>
              {t("people.seen")}
            </th>
            <th scope="col" className={cx(head, "text-end", columns.replies)}>
              {t("people.replies")} <span className="block font-normal">{month}</span>
            </th>
            <th scope="col" className={cx(head, "text-end", columns.cost)}>
              {t("people.cost")} <span className="block font-normal">{month}</span>
            </th>
            <th scope="col" className={cx(head, "pe-4 text-end", columns.stored)}>
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
  const cost = costText(account.usage.cost ?? null, false, i18n.language);
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
        <span className="flex min-w-0 items-center gap-2 text-muted">
          <span dir="ltr" className="min-w-0 truncate">
            {account.username} · {account.email}
          </span>
          <Ways account={account} />
        </span>
        <span className="block text-muted lg:hidden">
          <Seen account={account} /> ·{" "}
          {account.usage.cost !== undefined && <span className="sm:hidden">{cost} · </span>}
          {size}
        </span>
      </th>
      <td className={cx(cell, "whitespace-nowrap", columns.role)}>
        {account.role === "person" ? (
          <span className="text-muted">{t("roles.person")}</span>
        ) : (
          <Badge tone="accent">{t(`roles.${account.role}`)}</Badge>
        )}
      </td>
      <td className={cx(cell, number, columns.seen)}>
        <Seen account={account} />
      </td>
      <td className={cx(cell, number, columns.replies)}>
        {new Intl.NumberFormat(i18n.language).format(account.usage.replies)}
      </td>
      <td className={cx(cell, number, columns.cost)}>{cost}</td>
      <td className={cx(cell, number, "pe-4", columns.stored)}>
        {size}
        <Quota account={account} />
      </td>
    </tr>
  );
}

const wayIcons: Record<SignInWay, LucideIcon> = {
  password: KeyRound,
  google: Link2,
  passkey: Fingerprint,
  sso: Building2,
};

/** Ways by which a person signs in, as icons with names. */
function Ways({ account: { ways = [] } }: { account: ListedAccount }) {
  const { t, i18n } = useTranslation("administration");
  if (ways.length === 0) return null;
  const names = ways.map((way) => t(`ways.${way}`));
  const label = `${t("people.way")}: ${new Intl.ListFormat(i18n.language).format(names)}`;
  return (
    <span role="img" aria-label={label} {...tooltip(label)} className="flex shrink-0 items-center gap-1">
      {ways.map((way) => {
        const Icon = wayIcons[way];
        return <Icon key={way} aria-hidden="true" className="size-3.5" />;
      })}
    </span>
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

type CheckProps = { label: string; isChecked: boolean; onChange: (isChecked: boolean) => void; className?: string };

function Check({ label, isChecked, onChange, className }: CheckProps) {
  return (
    <label className={cx("flex size-11 shrink-0 cursor-pointer items-center justify-center", className)}>
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
