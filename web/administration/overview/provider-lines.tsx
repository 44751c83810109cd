import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Overview } from "#contract/administration/overview.ts";
import { testableProviders } from "#contract/administration/provider-check.ts";
import { timeOfDay } from "../../locales/times.ts";
import { Badge } from "../../page/badge.tsx";
import { Row } from "../../page/section.tsx";
import { TimeAgo, useMinute } from "../../page/time-ago.tsx";
import { TestButton, TestResult, useProviderCheck } from "./provider-check.tsx";

type Provider = Overview["answeringProcess"]["providers"][number];

const names: Partial<Record<string, string>> = { openai: "OpenAI", anthropic: "Anthropic" };

/** Codes of errors whose cause the overview names; others are shown without one. */
const reasons = [
  ...(["assistant-busy", "assistant-misconfigured", "assistant-unsuited", "assistant-unreachable"] as const),
  ...(["assistant-stalled", "assistant-broken-off", "assistant-no-credit", "assistant-model-gone"] as const),
];

type ProviderLinesProps = {
  providers: readonly Provider[];
  /** Called after a test, which changes the health. */
  onTested: () => void;
};

/** Health of each configured provider, in words, with a test. */
export function ProviderLines({ providers, onTested }: ProviderLinesProps) {
  const { t } = useTranslation("administration");
  if (providers.length === 0) {
    return <p className="px-4 py-4 text-muted text-sm sm:px-5">{t("overview.providers.none")}</p>;
  }
  return (
    <ul className="divide-y divide-hairline">
      {providers.map((provider) => (
        <li key={provider.name}>
          <ProviderLine provider={provider} onTested={onTested} />
        </li>
      ))}
    </ul>
  );
}

function ProviderLine({ provider, onTested }: { provider: Provider; onTested: () => void }) {
  const { t } = useTranslation("administration");
  const { name, label, lastError, lastSuccessAt } = provider;
  const test = useProviderCheck(name, onTested);
  const isSeen = lastError !== undefined || lastSuccessAt !== undefined;
  const title = label ?? (name === "local" ? t("overview.providers.local") : (names[name] ?? name));
  const isTestable = label !== undefined || testableProviders.some((each) => each === name);
  return (
    <>
      <Row title={<bdi>{title}</bdi>} text={isSeen && <Seen {...provider} />}>
        <div className="flex flex-wrap items-center gap-3">
          <State {...provider} />
          {isTestable && <TestButton test={test} provider={title} />}
        </div>
      </Row>
      <TestResult test={test} name={name} />
    </>
  );
}

function State({ coolsUntil = 0, lastError, lastSuccessAt }: Provider): ReactNode {
  const { t, i18n } = useTranslation("administration");
  const now = useMinute();
  if (coolsUntil > now) {
    return (
      <Badge tone="warning">{t("overview.providers.skipped", { time: timeOfDay(coolsUntil, i18n.language) })}</Badge>
    );
  }
  if (lastError && lastError.at > (lastSuccessAt ?? 0)) {
    return <Badge tone="danger">{t("overview.providers.failed")}</Badge>;
  }
  if (lastSuccessAt !== undefined) return <Badge tone="accent">{t("overview.providers.works")}</Badge>;
  return <Badge>{t("overview.providers.unused")}</Badge>;
}

/** Times of the last answer and of the last error. */
function Seen({ lastError, lastSuccessAt }: Provider): ReactNode {
  const { t } = useTranslation("administration");
  const reason = reasons.find((code) => code === lastError?.code) ?? "other";
  return (
    <>
      {lastSuccessAt !== undefined && (
        <TimeAgo
          at={lastSuccessAt}
          className="block"
          sentence={(time) => t("overview.providers.lastSuccess", { time })}
        />
      )}
      {lastError && (
        <TimeAgo
          at={lastError.at}
          className="block"
          sentence={(time) => t("overview.providers.lastError", { time, reason: t(`overview.reasons.${reason}`) })}
        />
      )}
    </>
  );
}
