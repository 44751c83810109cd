import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Overview } from "#contract/overview.ts";
import { timeOfDay } from "../../locales/times.ts";
import { Row } from "../../settings/section.tsx";
import { TimeAgo, useMinute } from "../../settings/time-ago.tsx";
import { Badge } from "../badge.tsx";

type Provider = Overview["answeringProcess"]["providers"][number];

const names: Partial<Record<string, string>> = { openai: "OpenAI", anthropic: "Anthropic" };

/** Codes of errors whose cause the overview names; others are shown without one. */
const reasons = [
  ...(["assistant-busy", "assistant-misconfigured", "assistant-unsuited", "assistant-unreachable"] as const),
  ...(["assistant-stalled", "assistant-broken-off"] as const),
];

/** Health of each configured provider, in words. */
export function ProviderLines({ providers }: { providers: readonly Provider[] }) {
  const { t } = useTranslation("administration");
  if (providers.length === 0) {
    return <p className="px-4 py-4 text-muted text-sm sm:px-5">{t("overview.providers.none")}</p>;
  }
  return (
    <ul className="divide-y divide-hairline">
      {providers.map((provider) => (
        <li key={provider.name}>
          <ProviderLine provider={provider} />
        </li>
      ))}
    </ul>
  );
}

function ProviderLine({ provider }: { provider: Provider }) {
  const { t } = useTranslation("administration");
  const { name, lastError, lastSuccessAt } = provider;
  const isSeen = lastError !== undefined || lastSuccessAt !== undefined;
  return (
    <Row
      title={name === "local" ? t("overview.providers.local") : (names[name] ?? name)}
      text={isSeen && <Seen {...provider} />}
    >
      <State {...provider} />
    </Row>
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
