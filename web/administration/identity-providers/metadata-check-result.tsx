import { useTranslation } from "react-i18next";
import {
  type IdentityProviderCheck,
  providerCheckFailures,
  providerFaults,
} from "#contract/administration/identity-providers.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { Button } from "../../ui/components/button.tsx";
import { Banner } from "../../ui/notifications/banner.tsx";
import type { MetadataCheck } from "./use-metadata-check.ts";

type CheckButtonProps = { check: MetadataCheck; name: string; onCheck: () => void };

/** Button that begins a test. @param name of the provider, for screen readers */
export function CheckButton({ check: { isChecking }, name, onCheck }: CheckButtonProps) {
  const { t } = useTranslation("identityProviders");
  return (
    <Button
      variant="secondary"
      size="small"
      aria-label={name === "" ? undefined : t("check.label", { name })}
      busy={isChecking}
      aria-disabled={isChecking || undefined}
      onClick={onCheck}
    >
      {isChecking ? t("check.running") : t("check.run")}
    </Button>
  );
}

type ResultProps = {
  check: MetadataCheck;
  /** Issuer that was tested. */
  issuer: string;
  /** Adopts the issuer that the metadata state; absent: it cannot be changed any more. */
  onIssuer?: (issuer: string) => void;
};

/** Result of the last test: what the provider can do, or what is wrong and what to do. */
export function MetadataCheckResult({ check: { result, failure }, issuer, onIssuer }: ResultProps) {
  if (failure !== null) return <FailureBanner failure={failure} />;
  if (result === null) return null;
  return result.ok ? (
    <Abilities result={result} issuer={issuer} />
  ) : (
    <Refusal result={result} {...(onIssuer && { onIssuer })} />
  );
}

function Abilities({ result, issuer }: { result: IdentityProviderCheck & { ok: true }; issuer: string }) {
  const { t, i18n } = useTranslation("identityProviders");
  const { pkce, hasBackChannelLogout, hasEndSession, missingScopes, authorizationHost: host } = result;
  // Entra states one for all tenants.
  const isOther = result.issuer !== issuer && !result.issuer.includes("{");
  const warnings = [
    ...(pkce === "refused" ? [t("check.pkce.refused")] : []),
    ...(missingScopes.length > 0
      ? [t("check.scopes", { scopes: new Intl.ListFormat(i18n.language).format(missingScopes) })]
      : []),
    ...(isOther ? [t("check.writes", { issuer: result.issuer })] : []),
  ];
  const notes = [
    ...(pkce === "refused" ? [] : [t(`check.pkce.${pkce}`)]),
    t(hasBackChannelLogout ? "check.backChannel.yes" : "check.backChannel.no"),
    t(hasEndSession ? "check.endSession.yes" : "check.endSession.no"),
  ];
  return (
    <Banner tone={warnings.length > 0 ? "warning" : "success"}>
      <p>{t("check.works", { host })}</p>
      <ul className="mt-1 list-disc ps-4 text-muted marker:text-muted">
        {[...warnings, ...notes].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Banner>
  );
}

type RefusalProps = { result: IdentityProviderCheck & { ok: false }; onIssuer?: (issuer: string) => void };

function Refusal({ result, onIssuer }: RefusalProps) {
  const { t } = useTranslation("identityProviders");
  const { host, issuer = "", status = 0, isOwnContainer } = result;
  const code = providerCheckFailures.find((each) => each === result.code) ?? "not-a-provider";
  const fault = providerFaults.find((each) => each === result.reason);
  const sentence =
    code === "unreachable" && fault
      ? t(`check.faults.${fault}`, { host })
      : t(`check.failures.${code}`, { host, issuer, status });
  return (
    <Banner
      action={
        code === "other-issuer" &&
        onIssuer && (
          <Button variant="secondary" size="small" onClick={() => onIssuer(issuer)}>
            {t("check.useIssuer")}
          </Button>
        )
      }
    >
      <p>{[sentence, isOwnContainer && t("check.container")].filter(Boolean).join(" ")}</p>
      {code === "other-issuer" && !onIssuer && <p className="text-muted">{t("check.addAgain")}</p>}
    </Banner>
  );
}
