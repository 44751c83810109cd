import { useTranslation } from "react-i18next";
import { type SearchCheck, searchFailures, searchFaults } from "#contract/administration/web-search.ts";
import { Banner } from "../../ui/notifications/banner.tsx";
import { engineName } from "./engine-name.ts";
import type { CheckedEngine } from "./use-search-check.ts";

/** Result of the last test: what is wrong, and what to do. */
export function SearchCheckResult({ checked }: { checked: CheckedEngine | null }) {
  const { t } = useTranslation("webSearch");
  if (checked === null) return null;
  const { kind, result } = checked;
  const name = engineName(kind);
  if (!result.ok) {
    return (
      <Banner>
        <FailureText failure={result} name={name} />
      </Banner>
    );
  }
  return result.results > 0 ? (
    <Banner tone="success">{t("check.works", { name })}</Banner>
  ) : (
    <Banner tone="warning">{t(kind === "searxng" ? "check.nothingSearxng" : "check.nothing", { name })}</Banner>
  );
}

function FailureText({ failure, name }: { failure: SearchCheck & { ok: false }; name: string }) {
  const { t } = useTranslation("webSearch");
  const { host = name, isOwnContainer } = failure;
  const code = searchFailures.find((each) => each === failure.code) ?? "failed";
  const fault = searchFaults.find((each) => each === failure.reason);
  const isUnreachable = code === "unreachable" && fault !== undefined;
  const sentence = isUnreachable ? t(`check.faults.${fault}`, { host }) : t(`check.failures.${code}`, { name, host });
  return <p>{[sentence, isOwnContainer && t("check.container")].filter(Boolean).join(" ")}</p>;
}
