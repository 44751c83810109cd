import { useTranslation } from "react-i18next";
import type { AccountDetails } from "#contract/accounts/account-settings.ts";
import { useAuthConfig } from "../../accounts/auth-config.ts";
import secondFactor from "../../locales/en/secondFactor.json";
import { registerTexts } from "../../locales/i18n.ts";
import { LoadFailure } from "../../page/load-failure.tsx";
import { useAccountDetails } from "../../queries/account-details.ts";
import { identitiesQuery } from "../../queries/identities.ts";
import { accountQuery } from "../../queries/query.ts";
import { useQuery } from "../../queries/use-query.ts";
import { Skeleton } from "../../ui/components/skeleton.tsx";
import { lazyModule } from "../../ui/lazy/lazy-module.ts";
import { LazyPage } from "../lazy-page.tsx";
import { settingsApi } from "../settings-api.ts";
import { GoogleSection } from "./google-section.tsx";
import { IdentitiesSection } from "./identities-section.tsx";
import { passkeysQuery } from "./passkeys-api.ts";
import { PasskeysSection } from "./passkeys-section.tsx";
import { PasswordSection } from "./password-section.tsx";
import { SecondFactorSection } from "./second-factor-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { WaysInSection } from "./ways-in-section.tsx";

registerTexts("secondFactor", secondFactor);

const activityModule = lazyModule(async () => (await import("../activity/activity-section.tsx")).default);
const sessionsQuery = accountQuery(settingsApi.readSessions);

export function SecurityPage() {
  const { t } = useTranslation("settings");
  const { value: details, error, reload, change } = useAccountDetails();
  const sessions = useQuery(sessionsQuery);
  const passkeys = useQuery(passkeysQuery);
  const { identityProviders = [] } = useAuthConfig();
  const hasIdentities = details?.hasIdentities ?? false;
  const hasSso = hasIdentities || identityProviders.some(({ kind }) => kind === "oidc");
  const identities = useQuery(identitiesQuery, hasSso);
  /** Reloads both: an action in one section of the page may end sessions or connections in another. */
  const readAnew = () => {
    void sessions.reload();
    void reload();
  };
  const settle = (changed: AccountDetails) => {
    change(changed);
    readAnew();
  };
  return (
    <>
      {error !== null && (
        <div className="mt-10">
          <LoadFailure error={error} onRetry={reload} />
        </div>
      )}
      {details === null && error === null && (
        <div className="mt-10 flex flex-col gap-4">
          <p role="status" className="sr-only">
            {t("loading")}
          </p>
          <Skeleton className="h-5 w-24" />
          <Skeleton className="h-18 w-full" />
        </div>
      )}
      {details !== null && (
        <>
          <WaysInSection
            details={details}
            passkeys={passkeys.value?.passkeys ?? []}
            identities={identities.value ?? []}
          />
          <PasswordSection
            hasPassword={details.hasPassword}
            onChanged={() => settle({ ...details, hasPassword: true })}
          />
          <SecondFactorSection details={details} onChange={(secondFactor) => settle({ ...details, secondFactor })} />
          <PasskeysSection passkeys={passkeys} hasSecondFactor={details.secondFactor !== null} onChanged={readAnew} />
          {hasSso && <IdentitiesSection details={details} identities={identities} onChanged={readAnew} />}
          <GoogleSection details={details} onChange={(hasGoogle) => settle({ ...details, hasGoogle })} />
        </>
      )}
      <SessionsSection sessions={sessions} onEnded={readAnew} />
      {/* Last, because it grows. */}
      <LazyPage module={activityModule} />
    </>
  );
}
