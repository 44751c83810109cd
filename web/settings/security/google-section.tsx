import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AccountDetails } from "#contract/accounts/account-settings.ts";
import { loadAuthConfig, useAuthConfig } from "../../accounts/auth-config.ts";
import { GoogleButton } from "../../accounts/sign-in/google-button.tsx";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatusLine } from "../../forms/form-status.tsx";
import { useAction } from "../../forms/use-action.ts";
import { Row, Section } from "../../page/section.tsx";
import { withProof } from "../../proof/proof.ts";
import { Button } from "../../ui/components/button.tsx";
import { settingsApi } from "../settings-api.ts";

type GoogleSectionProps = {
  details: AccountDetails;
  /** Called after a change; disconnecting also ends the sessions that Google sign-in started. */
  onChange: (hasGoogle: boolean) => void;
};

/** Google connection of the account; renders nothing if Google is neither connected nor available. */
export function GoogleSection({ details, onChange }: GoogleSectionProps) {
  const { t } = useTranslation("settings");
  const { googleClientId, isSsoOnly = false } = useAuthConfig();
  const { run, busy, failure } = useAction<"connect" | "disconnect">();
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { hasGoogle } = details;
  const hasOwnWay = !isSsoOnly && (details.hasPassword || details.hasPasskeys === true);
  const hasOtherWay = hasOwnWay || details.hasIdentities === true;
  if (!hasGoogle && googleClientId === undefined) return null;

  const settle = (isConnected: boolean) => {
    setConfirmation(t(isConnected ? "google.connectedDone" : "google.disconnectedDone"));
    // The focused button is removed.
    heading.current?.focus({ preventScroll: true });
    onChange(isConnected);
  };
  const connect = async (idToken: string) => {
    setConfirmation(null);
    await run("connect", async () => {
      await withProof(() => settingsApi.connectGoogle(idToken));
      settle(true);
    });
    // A nonce is valid only once.
    await loadAuthConfig();
  };
  const disconnect = () => {
    setConfirmation(null);
    return run("disconnect", async () => {
      await withProof(settingsApi.disconnectGoogle);
      settle(false);
    });
  };

  return (
    <Section title={t("google.title")} text={t("google.text")} headingRef={heading}>
      {failure && (
        <div className="px-4 pt-4 sm:px-5">
          <FailureBanner failure={failure} />
        </div>
      )}
      <Row
        title={t(hasGoogle ? "google.connected" : "google.notConnected")}
        text={hasGoogle && !hasOtherWay ? t("google.lastWay") : undefined}
      >
        {hasGoogle ? (
          <Button
            variant="secondary"
            size="small"
            busy={busy === "disconnect"}
            aria-disabled={busy !== null || undefined}
            disabled={!hasOtherWay}
            onClick={disconnect}
          >
            {t("google.disconnect")}
          </Button>
        ) : (
          <div className="w-60 max-w-full">
            <GoogleButton
              text="continue_with"
              busyText={t("google.connecting")}
              missingText={t("google.missing")}
              onToken={connect}
            />
          </div>
        )}
      </Row>
      <FormStatusLine text={confirmation} />
    </Section>
  );
}
