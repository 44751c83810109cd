import { Lock } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { AdministeredProvider } from "#contract/administration/identity-providers.ts";
import { Badge } from "../../page/badge.tsx";
import { Button } from "../../ui/components/button.tsx";
import { CheckButton, MetadataCheckResult } from "./metadata-check-result.tsx";
import { ProviderAddresses } from "./provider-addresses.tsx";
import { ProviderForm } from "./provider-form.tsx";
import { ProviderMenu } from "./provider-menu.tsx";
import { useMetadataCheck } from "./use-metadata-check.ts";
import type { ProviderActions } from "./use-provider-list.ts";

/** Characters without a direction of their own are not reordered after this mark. */
const LEFT_TO_RIGHT = "\u200e";

type ProviderCardProps = {
  provider: AdministeredProvider;
  /** Position among the stored providers, and their number; -1 for a fixed one. */
  index: number;
  count: number;
  actions: ProviderActions;
};

/** A provider with its facts and actions; below it its form or its addresses, if they are open. */
export function ProviderCard({ provider, index, count, actions }: ProviderCardProps) {
  const { t } = useTranslation("identityProviders");
  const { slug, name, issuer, client, isFixed } = provider;
  const check = useMetadataCheck();
  const titleId = useId();
  const view = actions.opened?.slug === slug ? actions.opened.view : null;
  const toggle = (next: "edit" | "addresses") => actions.open(view === next ? null : { slug, view: next });
  const onSaved = (saved: AdministeredProvider) => {
    check.forget();
    actions.onSaved(saved);
  };
  return (
    <li
      id={slug}
      tabIndex={-1}
      aria-labelledby={titleId}
      className="rounded-surface border border-hairline bg-raised text-sm"
    >
      <div className="flex flex-col gap-3 p-4 sm:p-5">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 id={titleId} className="font-semibold text-base [overflow-wrap:anywhere]">
              <bdi>{name}</bdi>
            </h2>
            <Badges provider={provider} />
          </div>
          <p dir="ltr" className="mt-0.5 text-start text-muted [overflow-wrap:anywhere] rtl:text-end">
            {issuer}
          </p>
        </div>
        <Facts provider={provider} />
        <div className="flex flex-wrap items-center gap-2">
          {client && <CheckButton check={check} name={name} onCheck={() => check.check({ slug })} />}
          {client && (
            <Button
              variant="secondary"
              size="small"
              aria-label={t("addresses.label", { name })}
              aria-expanded={view === "addresses"}
              onClick={() => toggle("addresses")}
            >
              {t("addresses.open")}
            </Button>
          )}
          {!isFixed && (
            <>
              <Button
                variant="secondary"
                size="small"
                aria-label={t("editLabel", { name })}
                aria-expanded={view === "edit"}
                onClick={() => toggle("edit")}
              >
                {t("edit")}
              </Button>
              <ProviderMenu provider={provider} index={index} count={count} actions={actions} />
            </>
          )}
        </div>
        <MetadataCheckResult check={check} issuer={issuer} />
      </div>
      {view !== null && (
        <div className="border-hairline border-t">
          {view === "addresses" && client && (
            <div className="p-4 sm:p-5">
              <ProviderAddresses {...client} />
            </div>
          )}
          {view === "edit" && (
            <ProviderForm provider={provider} onSaved={onSaved} onCancel={() => actions.open(null)} />
          )}
        </div>
      )}
    </li>
  );
}

function Badges({ provider: { isEnabled, client, issuer } }: { provider: AdministeredProvider }) {
  const { t } = useTranslation("identityProviders");
  return (
    <>
      {!isEnabled && <Badge>{t("state.disabled")}</Badge>}
      {client?.isUnreadable && <Badge tone="danger">{t("state.unreadable")}</Badge>}
      {client && issuer.startsWith("http:") && <Badge tone="warning">{t("state.insecure")}</Badge>}
    </>
  );
}

function Facts({ provider }: { provider: AdministeredProvider }) {
  const { t } = useTranslation("identityProviders");
  const { client, isFixed, identities, groupRules, roleRules, isEmailAuthoritative, needsSecondFactor } = provider;
  const rules = groupRules.length + roleRules.length;
  const facts = [
    ...(client
      ? [
          client.secretEnd === null
            ? t("secret.public")
            : t("secret.shown", { secret: `${LEFT_TO_RIGHT}••••${client.secretEnd}` }),
        ]
      : []),
    ...(identities > 0 ? [t("identities", { count: identities })] : []),
    ...(rules > 0 ? [t("rules.count", { count: rules })] : []),
    ...(isEmailAuthoritative ? [t("authoritative")] : []),
    ...(needsSecondFactor ? [t("secondFactor")] : []),
  ];
  return (
    <div className="text-muted leading-text">
      {client?.isUnreadable && <p className="text-danger">{t("unreadable")}</p>}
      <ul>
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      {isFixed && (
        <p className="mt-1 flex items-start gap-1.5">
          <Lock aria-hidden="true" className="mt-1 size-3.5 shrink-0" />
          {t("fixed")}
        </p>
      )}
    </div>
  );
}
