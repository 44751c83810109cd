import { ArrowLeft } from "lucide-react";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import type { AdministeredAccount } from "#contract/administration/administration.ts";
import { personName } from "../../accounts/person-name.ts";
import { useDeviceName } from "../../accounts/use-device-name.ts";
import { ApiError } from "../../api/client.ts";
import { costText } from "../../locales/cost-text.ts";
import { sizeText } from "../../locales/size-text.ts";
import { exactTime } from "../../locales/times.ts";
import { Badge } from "../../page/badge.tsx";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Row, Section } from "../../page/section.tsx";
import { TimeAgo } from "../../page/time-ago.tsx";
import { useResource } from "../../queries/use-resource.ts";
import { cx } from "../../ui/components/cx.ts";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { Link } from "../../ui/components/link.tsx";
import { PageTitle } from "../../ui/components/page-title.tsx";
import { textLink } from "../../ui/components/text-link.ts";
import { tokensText } from "../../usage/usage-words.ts";
import { administrationApi } from "../administration-api.ts";
import { DescriptionItem } from "../description-item.tsx";
import { useGroups } from "../groups/group-select.tsx";
import { useHasRole } from "../use-has-role.ts";
import { ActionsBar } from "./actions-bar.tsx";
import { BudgetForm } from "./budget-form.tsx";
import { GroupChoiceForm } from "./group-choice-form.tsx";
import { OwnershipSection } from "./ownership-section.tsx";
import { stateTones } from "./people-table.tsx";
import { QuotaForm } from "./quota-form.tsx";
import { RoleForm } from "./role-form.tsx";
import { SecondFactorForm } from "./second-factor-form.tsx";
import { useAccountActions } from "./use-account-actions.ts";

/** One account: its facts, role, storage, sessions, usage and actions; never its chats. */
export function PersonPage({ id }: { id: string }) {
  const { t } = useTranslation("administration");
  const { state }: { state: unknown } = useLocation();
  const read = useCallback((signal: AbortSignal) => administrationApi.readAccount(id, signal), [id]);
  const { value, error, reload, change } = useResource(read);
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <>
      <Link
        to="/administration/people"
        state={state}
        className={cx(textLink, "inline-flex min-h-6 items-center gap-1.5 text-sm pointer-coarse:min-h-11")}
      >
        <ArrowLeft aria-hidden="true" className="size-4 rtl:-scale-x-100" />
        {t("person.back")}
      </Link>
      {isGone && (
        <EmptyState
          title={t("person.gone")}
          className="mt-8 rounded-surface border border-hairline border-dashed px-6 py-10"
        />
      )}
      {error !== null && !isGone && <LoadFailure error={error} onRetry={() => void reload()} className="mt-6" />}
      {value === null && error === null && <LinesLoading lines={6} />}
      {value !== null && <Person account={value} onChange={change} onReload={() => void reload()} />}
    </>
  );
}

type PersonProps = {
  account: AdministeredAccount;
  onChange: (account: AdministeredAccount) => void;
  onReload: () => void;
};

function Person({ account, onChange, onReload }: PersonProps) {
  const { t } = useTranslation("administration");
  const navigate = useNavigate();
  const isAdministrator = useHasRole("administrator");
  const { state }: { state: unknown } = useLocation();
  const actions = useAccountActions((ids, action) => {
    if (!ids.has(account.id)) return;
    if (action === "delete") void navigate("/administration/people", { state });
    else onReload();
  });
  return (
    <>
      <header className="mt-3">
        <PageTitle className="break-words font-semibold text-2xl tracking-[-0.022em]">
          <span dir="auto">{personName(account)}</span>
        </PageTitle>
        <p dir="ltr" className="mt-1 break-words text-start text-muted rtl:text-end">
          {account.username} · {account.email}
        </p>
        <p className="mt-2 flex flex-wrap gap-2">
          <Badge tone={account.role === "person" ? "plain" : "accent"}>{t(`roles.${account.role}`)}</Badge>
          <Badge tone={stateTones[account.state]}>{t(`states.${account.state}`)}</Badge>
          {account.group && (
            <Badge>
              <bdi>{account.group.name}</bdi>
            </Badge>
          )}
        </p>
      </header>
      <Facts account={account} />
      {(isAdministrator || account.role === "person") && (
        <Section title={t("person.actionsTitle")} text={t("person.actionsText")}>
          <div className="p-4 sm:p-5">
            <ActionsBar account={account} actions={actions} />
            {isAdministrator && (
              <Link
                to={`/administration/audit?account=${account.id}`}
                state={state}
                className={cx(textLink, "mt-3 inline-flex min-h-6 items-center text-sm pointer-coarse:min-h-11")}
              >
                {t("person.records")}
              </Link>
            )}
          </div>
        </Section>
      )}
      <Sessions account={account} />
      {isAdministrator && <Rights account={account} onChange={onChange} />}
    </>
  );
}

/** Group, role, quota, budget, ownership and the requirement of a second factor, which managers do not change. */
function Rights({ account, onChange }: Pick<PersonProps, "account" | "onChange">) {
  const { t } = useTranslation(["administration", "groups"]);
  const groups = useGroups();
  const [isOfferingOwnership, setIsOfferingOwnership] = useState(false);
  return (
    <>
      {groups.length > 0 && (
        <Section title={t("groups:person.title")} text={t("groups:person.text")}>
          <GroupChoiceForm account={account} groups={groups} onChange={onChange} />
        </Section>
      )}
      <Section title={t("person.roleTitle")} text={t("person.roleText")}>
        <RoleForm account={account} onChange={onChange} onOwner={setIsOfferingOwnership} />
      </Section>
      <OwnershipSection account={account} isOffering={isOfferingOwnership} onChange={onChange} />
      <Section title={t("person.quotaTitle")} text={t("person.quotaText")}>
        <QuotaForm account={account} onChange={onChange} />
      </Section>
      <Section title={t("person.budgetTitle")} text={t("person.budgetText")}>
        <BudgetForm account={account} onChange={onChange} />
      </Section>
      <Section title={t("person.secondFactor")} text={t("person.secondFactorText")}>
        <SecondFactorForm account={account} onChange={onChange} />
      </Section>
    </>
  );
}

function Facts({ account }: { account: AdministeredAccount }) {
  const { t, i18n } = useTranslation(["administration", "groups"]);
  const { createdAt, verifiedAt, lastSeenAt, deleteAt, storedBytes, usage } = account;
  const quotaMb = account.quotaMb ?? account.groupQuotaMb;
  const used = sizeText(storedBytes, i18n.language);
  const quota = quotaMb === undefined ? undefined : sizeText(quotaMb * 1_000_000, i18n.language);
  const source = account.quotaMb === undefined ? t("groups:person.quotaGroup") : t("groups:person.quotaOwn");
  const tokens = {
    input: tokensText(usage.inputTokens, false, i18n.language),
    output: tokensText(usage.outputTokens, false, i18n.language),
  };
  return (
    <Section title={t("person.facts")}>
      <dl className="grid gap-x-6 gap-y-4 p-4 sm:grid-cols-2 sm:p-5">
        <DescriptionItem name={t("person.created")}>{exactTime(createdAt, i18n.language)}</DescriptionItem>
        <DescriptionItem name={t("person.verified")}>
          {verifiedAt === undefined ? t("person.notVerified") : exactTime(verifiedAt, i18n.language)}
        </DescriptionItem>
        <DescriptionItem name={t("person.seen")}>
          {lastSeenAt === undefined ? t("people.never") : <TimeAgo at={lastSeenAt} sentence={(time) => time} />}
        </DescriptionItem>
        <DescriptionItem name={t("person.signIn")}>
          <WaysIn account={account} />
        </DescriptionItem>
        <DescriptionItem name={t("person.storage")}>
          {quota === undefined ? t("person.storageDefault", { used }) : t("person.storageOf", { used, quota })}
          {quota !== undefined && ` (${source})`}
          {" · "}
          {t("person.files", { count: account.files })}
        </DescriptionItem>
        <DescriptionItem name={t("person.shares")}>{account.shares.toLocaleString(i18n.language)}</DescriptionItem>
        <DescriptionItem name={t("person.usageTitle")}>
          {t("person.replies", { count: usage.replies })} · {t("person.tokens", tokens)}
          {usage.cost !== undefined && ` · ${costText(usage.cost, false, i18n.language)}`}
        </DescriptionItem>
        {deleteAt !== undefined && deleteAt > 0 && (
          <DescriptionItem name={t("person.deleteAt")}>{exactTime(deleteAt, i18n.language)}</DescriptionItem>
        )}
      </dl>
    </Section>
  );
}

/** Ways to sign in, with their last use. */
function WaysIn({ account }: { account: AdministeredAccount }) {
  const { t } = useTranslation("administration");
  const { hasPassword, hasGoogle, hasSecondFactor, hasPasskeys, lastSignIns } = account;
  const { secondFactorUsedAt, passkeyUsedAt, identities = [] } = account;
  const ways: { id: string; way: string; at: number | null | undefined }[] = [];
  if (hasPassword) ways.push({ id: "password", way: t("person.password"), at: lastSignIns.password });
  if (hasGoogle) ways.push({ id: "google", way: t("person.google"), at: lastSignIns.google });
  for (const { id, provider, lastUsedAt } of identities) ways.push({ id, way: provider, at: lastUsedAt });
  if (hasPasskeys) ways.push({ id: "passkeys", way: t("person.passkeys"), at: passkeyUsedAt });
  if (hasSecondFactor) ways.push({ id: "factor", way: t("person.secondFactor"), at: secondFactorUsedAt });
  if (ways.length === 0) return t("person.noWay");
  return (
    <ul>
      {ways.map(({ id, way, at }) => (
        <li key={id} className="[overflow-wrap:anywhere]">
          {typeof at !== "number" ? (
            t("person.wayUnused", { way })
          ) : (
            <TimeAgo at={at} sentence={(time) => t("person.wayUsed", { way, time })} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Sessions({ account: { sessions } }: { account: AdministeredAccount }) {
  const { t } = useTranslation("administration");
  const nameOf = useDeviceName();
  return (
    <Section title={t("person.sessionsTitle")}>
      {sessions.length === 0 && <p className="px-4 py-4 text-muted text-sm sm:px-5">{t("person.noSessions")}</p>}
      <div className="divide-y divide-hairline">
        {sessions.map((session) => (
          <Row
            key={session.id}
            title={nameOf(session)}
            text={<TimeAgo at={session.lastSeenAt} sentence={(time) => `${t("person.seen")}: ${time}`} />}
          />
        ))}
      </div>
    </Section>
  );
}
