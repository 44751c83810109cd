import { useTranslation } from "react-i18next";
import type { McpServerCheck } from "#contract/administration/mcp-servers.ts";
import { mcpFailures, mcpFaults } from "#contract/mcp/server-failures.ts";
import { Banner } from "../../ui/notifications/banner.tsx";

/** Names of tools in a sentence. */
const NAMES_SHOWN = 5;

/** What a server answered to a test: its tools in numbers, or what is wrong and what to do. */
export function ServerCheckResult({ check }: { check: McpServerCheck | null }) {
  if (check === null) return null;
  if (check.ok) return <Answered check={check} />;
  // People sign in by themselves, which is how such a server works.
  return (
    <Banner tone={check.code === "sign-in" ? "info" : "error"}>
      <p>
        <FailureSentence failure={check} />
      </p>
    </Banner>
  );
}

function Answered({ check }: { check: McpServerCheck & { ok: true } }) {
  const { t, i18n } = useTranslation("mcpServers");
  const { tools, unlistedTools, leftOut, revision } = check;
  const host = check.host || t("check.program");
  const count = tools.length + unlistedTools;
  const hidden = leftOut.slice(0, NAMES_SHOWN);
  const names = new Intl.ListFormat(i18n.language).format(leftOut.length > NAMES_SHOWN ? [...hidden, "…"] : hidden);
  return (
    <Banner tone={count === 0 || leftOut.length > 0 ? "warning" : "success"}>
      <p>{count === 0 ? t("check.noTools", { host }) : t("check.works", { host, count })}</p>
      {leftOut.length > 0 && <p className="mt-1">{t("check.leftOut", { names })}</p>}
      <p className="mt-1 text-muted">{t("check.revision", { revision })}</p>
    </Banner>
  );
}

type FailureSentenceProps = {
  failure: { code: string; host: string; reason?: string | undefined; isOwnContainer?: true | undefined };
};

/** Says why a server has no list of tools, and what to do. */
export function FailureSentence({ failure }: FailureSentenceProps) {
  const { t } = useTranslation("mcpServers");
  const host = failure.host || t("check.program");
  const code = mcpFailures.find((each) => each === failure.code) ?? "failed";
  const fault = mcpFaults.find((each) => each === failure.reason);
  const sentence =
    code === "unreachable" && fault ? t(`check.faults.${fault}`, { host }) : t(`check.failures.${code}`, { host });
  return [sentence, failure.isOwnContainer && t("check.container")].filter(Boolean).join(" ");
}
