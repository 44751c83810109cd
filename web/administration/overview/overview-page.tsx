import { type RefObject, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import type { Overview } from "#contract/administration/overview.ts";
import { costText } from "../../locales/cost-text.ts";
import { sizeText } from "../../locales/size-text.ts";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Section } from "../../page/section.tsx";
import { useResource } from "../../queries/use-resource.ts";
import { tokensText } from "../../usage/usage-words.ts";
import { administrationApi } from "../administration-api.ts";
import { DescriptionItem } from "../description-item.tsx";
import { BudgetCard } from "./budget-card.tsx";
import { FigureCard } from "./figure-card.tsx";
import { OverviewLoading } from "./overview-loading.tsx";
import { OverviewWarningList } from "./overview-warning-list.tsx";
import { uptimeText } from "./overview-words.ts";
import { ProviderLines } from "./provider-lines.tsx";
import { ReleasesSection } from "./releases-section.tsx";
import { RepliesChart } from "./replies-chart.tsx";

/** State of the server in numbers: warnings, accounts, replies, cost, providers, mail and storage. */
export function OverviewPage() {
  const { t } = useTranslation("administration");
  const { value, error, reload } = useResource(administrationApi.readOverview);
  return (
    <>
      <p className="mt-2 text-pretty text-muted leading-text">{t("overview.text")}</p>
      {error !== null && (
        <div className="mt-8">
          <LoadFailure error={error} onRetry={() => void reload()} />
        </div>
      )}
      {value === null && error === null && <OverviewLoading />}
      {value !== null && <Shown overview={value} onReload={() => void reload()} />}
    </>
  );
}

function Shown({ overview, onReload }: { overview: Overview; onReload: () => void }) {
  const { t } = useTranslation("administration");
  const { replies, answeringProcess } = overview;
  const providers = useLinkedHeading("providers");
  return (
    <>
      <OverviewWarningList overview={overview} />
      <Figures overview={overview} />
      <Section title={t("overview.chart.title")}>
        <RepliesChart days={replies.days} />
      </Section>
      <Section title={t("overview.providers.title")} text={t("overview.providers.text")} headingRef={providers}>
        <ProviderLines providers={answeringProcess.providers} onTested={onReload} />
      </Section>
      <ServerFacts overview={overview} />
      {overview.releases && <ReleasesSection releases={overview.releases} onChanged={onReload} />}
    </>
  );
}

/** Returns the ref of a heading that is scrolled to and focused if the page's address names its section. */
function useLinkedHeading(anchor: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const { hash } = useLocation();
  const isLinked = hash === `#${anchor}`;
  useEffect(() => {
    if (!isLinked) return;
    heading.current?.scrollIntoView();
    heading.current?.focus({ preventScroll: true });
  }, [isLinked]);
  return heading;
}

function Figures({ overview: { accounts, replies, usage, budget } }: { overview: Overview }) {
  const { t, i18n } = useTranslation("administration");
  const number = new Intl.NumberFormat(i18n.language);
  const row = (name: string, value: number) => ({ name, value: number.format(value) });
  const tokens = (name: string, value: number) => ({ name, value: tokensText(value, false, i18n.language) });
  return (
    <div className="mt-8 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      <FigureCard
        title={t("overview.people")}
        figure={number.format(accounts.total)}
        rows={[
          row(t("overview.activeInWeek"), accounts.activeInWeek),
          row(t("overview.activeInMonth"), accounts.activeInMonth),
          row(t("overview.unverified"), accounts.unverified),
          row(t("overview.disabled"), accounts.disabled),
        ]}
      />
      <FigureCard
        title={t("overview.repliesInMonth")}
        figure={number.format(replies.month)}
        rows={[row(t("overview.today"), replies.today)]}
      />
      <FigureCard
        title={t("overview.cost")}
        figure={costText(usage.cost ?? null, false, i18n.language)}
        rows={[
          tokens(t("overview.inputTokens"), usage.inputTokens),
          tokens(t("overview.outputTokens"), usage.outputTokens),
        ]}
      />
      {budget && <BudgetCard budget={budget} />}
    </div>
  );
}

function ServerFacts({ overview: { mail, storage, answeringProcess } }: { overview: Overview }) {
  const { t, i18n } = useTranslation("administration");
  const number = new Intl.NumberFormat(i18n.language);
  const size = (bytes: number) => sizeText(bytes, i18n.language);
  const disk = { free: size(storage.diskFree), size: size(storage.diskSize) };
  return (
    <Section title={t("overview.server.title")}>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 p-4 sm:p-5 md:grid-cols-4">
        <DescriptionItem name={t("overview.server.stored")}>{size(storage.stored)}</DescriptionItem>
        <DescriptionItem name={t("overview.server.database")}>{size(storage.database)}</DescriptionItem>
        <DescriptionItem name={t("overview.server.disk")}>{t("overview.server.diskOf", disk)}</DescriptionItem>
        <DescriptionItem name={t("overview.server.mailServer")}>
          {mail.hasMailServer ? t("overview.server.mailServerSet") : t("overview.server.mailServerNotSet")}
        </DescriptionItem>
        <DescriptionItem name={t("overview.server.mailWaiting")}>{number.format(mail.waiting)}</DescriptionItem>
        <DescriptionItem name={t("overview.server.mailFailed")}>{number.format(mail.failed)}</DescriptionItem>
        <DescriptionItem name={t("overview.server.version")}>{answeringProcess.version}</DescriptionItem>
        <DescriptionItem name={t("overview.server.uptime")}>
          {uptimeText(answeringProcess.uptimeMs, i18n.language)}
        </DescriptionItem>
        {answeringProcess.proxy && <ProxyItem proxy={answeringProcess.proxy} />}
      </dl>
    </Section>
  );
}

/** Proxies of the server by the scheme of the addresses that are reached through them. */
function ProxyItem({ proxy: { https, http, direct } }: { proxy: NonNullable<Overview["answeringProcess"]["proxy"]> }) {
  const { t } = useTranslation("administration");
  const isSame = https === http;
  const lines = isSame ? [https] : [https && `https: ${https}`, http && `http: ${http}`];
  return (
    <DescriptionItem name={t("overview.server.proxy")} className="col-span-2">
      {lines.filter(Boolean).map((line) => (
        <span key={line} className="block">
          <bdi>{line}</bdi>
        </span>
      ))}
      {direct && <span className="block text-muted">{t("overview.server.direct", { hosts: direct })}</span>}
    </DescriptionItem>
  );
}
