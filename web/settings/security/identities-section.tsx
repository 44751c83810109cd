import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { AccountDetails } from "#contract/accounts/account-settings.ts";
import type { ConnectedIdentity } from "#contract/accounts/single-sign-on.ts";
import { useAuthConfig } from "../../accounts/auth-config.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatusLine } from "../../forms/form-status.tsx";
import { longDate } from "../../locales/times.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Row, Section } from "../../page/section.tsx";
import { TimeAgo } from "../../page/time-ago.tsx";
import type { QueryResult } from "../../queries/use-query.ts";
import { Button } from "../../ui/components/button.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { DirectoryConnection } from "./directory-connection.tsx";
import { useIdentities } from "./use-identities.ts";

type IdentitiesSectionProps = {
  details: AccountDetails;
  identities: QueryResult<ConnectedIdentity[]>;
  /** Called after one was connected, or disconnected, which ends the sessions that began by one. */
  onChanged: () => void;
};

/** Identities of the account at identity providers, and the providers that it can connect. */
export function IdentitiesSection({ details, identities, onChanged }: IdentitiesSectionProps) {
  const { t } = useTranslation("secondFactor");
  const heading = useRef<HTMLHeadingElement>(null);
  const { identityProviders = [] } = useAuthConfig();
  const { connect, disconnect, removed, setRemoved, ...state } = useIdentities(identities, { heading, onChanged });
  const { busy, failure, confirmation, entered, setEntered, connectDirectory } = state;
  const { value: list, error, reload } = identities;
  const waysWithout = useWaysWithout(details, list ?? []);
  const vacant = identityProviders.filter(({ slug }) => !list?.some((identity) => identity.slug === slug));
  const held = busy !== null || undefined;
  return (
    <Section title={t("identities.title")} text={t("identities.text")} headingRef={heading}>
      {failure && (
        <div className="px-4 pt-4 sm:px-5">
          <FailureBanner failure={failure} />
        </div>
      )}
      {error !== null && (
        <div className="p-4 sm:p-5">
          <LoadFailure error={error} onRetry={reload} />
        </div>
      )}
      {list === null && error === null && <LinesLoading lines={1} />}
      {list !== null && (
        <div className="divide-y divide-hairline">
          {list.map((identity) => (
            <IdentityRow
              key={identity.id}
              identity={identity}
              isLast={waysWithout(identity) === ""}
              isBusy={busy === identity.id}
              isHeld={busy !== null}
              onDisconnect={() => setRemoved(identity)}
            />
          ))}
          {vacant.map((provider) =>
            entered?.slug === provider.slug ? (
              <DirectoryConnection
                key={provider.slug}
                directory={provider}
                send={connectDirectory}
                onCancel={() => setEntered(null)}
              />
            ) : (
              <Row key={provider.slug} title={provider.name} text={t("identities.notConnected")}>
                <Button
                  variant="secondary"
                  size="small"
                  aria-label={t("identities.connectLabel", { name: provider.name })}
                  busy={busy === provider.slug}
                  aria-disabled={held}
                  onClick={() => connect(provider)}
                >
                  {t("identities.connect")}
                </Button>
              </Row>
            ),
          )}
        </div>
      )}
      <FormStatusLine text={confirmation} />
      <ConfirmDialog
        isOpen={removed !== null}
        onOpenChange={() => setRemoved(null)}
        title={t("identities.disconnectTitle", { name: removed?.provider ?? "" })}
        description={t("identities.disconnectText", { ways: removed ? waysWithout(removed) : "" })}
        confirmLabel={t("identities.disconnect")}
        onConfirm={() => removed && disconnect(removed)}
      />
    </Section>
  );
}

type IdentityRowProps = {
  identity: ConnectedIdentity;
  /** Whether nothing else is left to sign in. */
  isLast: boolean;
  isBusy: boolean;
  isHeld: boolean;
  onDisconnect: () => void;
};

function IdentityRow({ identity, isLast, isBusy, isHeld, onDisconnect }: IdentityRowProps) {
  const { t, i18n } = useTranslation("secondFactor");
  const { isSsoOnly } = useAuthConfig();
  const { provider: name, label, createdAt, lastUsedAt } = identity;
  return (
    <Row
      title={name}
      text={
        <>
          <bdi>{label}</bdi>
          <span className="block">
            {t("identities.since", { date: longDate(createdAt, i18n.language) })}{" "}
            {lastUsedAt === null ? (
              t("ways.noUse")
            ) : (
              <TimeAgo at={lastUsedAt} sentence={(time) => t("ways.used", { time })} />
            )}
          </span>
          {isLast && <span className="block">{t(isSsoOnly ? "identities.onlyWay" : "identities.lastWay")}</span>}
        </>
      }
    >
      <Button
        variant="secondary"
        size="small"
        aria-label={t("identities.disconnectLabel", { name })}
        busy={isBusy}
        aria-disabled={isHeld || undefined}
        disabled={isLast}
        onClick={() => !isHeld && onDisconnect()}
      >
        {t("identities.disconnect")}
      </Button>
    </Row>
  );
}

/** Returns the function that lists in words how the account signs in without an identity; empty without another way. */
function useWaysWithout({ hasPassword, hasPasskeys, hasGoogle }: AccountDetails, list: readonly ConnectedIdentity[]) {
  const { t, i18n } = useTranslation("secondFactor");
  const { isSsoOnly = false } = useAuthConfig();
  return (removed: ConnectedIdentity): string => {
    const ways = [
      ...(hasPassword && !isSsoOnly ? [t("ways.password")] : []),
      ...(hasPasskeys && !isSsoOnly ? [t("passkeys.title")] : []),
      ...(hasGoogle ? [t("ways.google")] : []),
      ...list.flatMap(({ id, provider }) => (id === removed.id ? [] : [provider])),
    ];
    return new Intl.ListFormat(i18n.language).format(ways);
  };
}
