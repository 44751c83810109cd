import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { IDENTITY_PROVIDERS_MAX } from "#contract/accounts/identity-providers.ts";
import { type AdministeredProviders, chooseProviderSlug } from "#contract/administration/identity-providers.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatus } from "../../forms/form-status.tsx";
import identityProviderTexts from "../../locales/en/identityProviders.json";
import { registerTexts } from "../../locales/i18n.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Section } from "../../page/section.tsx";
import { useResource } from "../../queries/use-resource.ts";
import { Button } from "../../ui/components/button.tsx";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { identityProvidersApi } from "./identity-providers-api.ts";
import { addressesOf, ProviderAddresses } from "./provider-addresses.tsx";
import { ProviderCard } from "./provider-card.tsx";
import { ProviderForm } from "./provider-form.tsx";
import { type ProviderActions, useProviderList } from "./use-provider-list.ts";

registerTexts("identityProviders", identityProviderTexts);

/** Identity providers by which people sign in, and forms for those with OpenID Connect. */
export function IdentityProvidersPage() {
  const { t } = useTranslation("identityProviders");
  const { value, error, reload, change } = useResource(identityProvidersApi.read);
  return (
    <>
      <p className="mt-2 text-pretty text-muted leading-text">{t("text")}</p>
      {error !== null && <LoadFailure error={error} onRetry={() => void reload()} className="mt-6" />}
      {value === null && error === null && <LinesLoading lines={4} />}
      {value !== null && <Providers list={value} onChange={change} />}
    </>
  );
}

type ProvidersProps = { list: AdministeredProviders; onChange: (list: AdministeredProviders) => void };

function Providers({ list, onChange }: ProvidersProps) {
  const { t } = useTranslation("identityProviders");
  const actions = useProviderList(list, onChange);
  const { form, failure, confirmation } = actions;
  const { providers, publicUrl } = list;
  const stored = providers.filter(({ isFixed }) => !isFixed);
  const isFull = providers.length >= IDENTITY_PROVIDERS_MAX;
  const slugs = providers.map(({ slug }) => slug);
  return (
    <>
      {providers.length === 0 && !form.isOpen && (
        <EmptyState title={t("empty")} text={t("emptyText")} className="mt-8" />
      )}
      {!form.isOpen && (
        <div className={providers.length === 0 ? "mt-4 flex justify-center" : "mt-6"}>
          <Button ref={form.trigger} aria-disabled={isFull || undefined} onClick={() => isFull || actions.openForm()}>
            {t("add.open")}
          </Button>
        </div>
      )}
      {isFull && <p className="mt-2 text-muted text-sm">{t("full", { max: IDENTITY_PROVIDERS_MAX })}</p>}
      {form.isOpen && <NewProvider publicUrl={publicUrl} slugs={slugs} actions={actions} />}
      <FailureBanner failure={failure} className="mt-6" />
      <div className={confirmation === null ? "sr-only" : "mt-6"}>
        <FormStatus text={confirmation} />
      </div>
      {providers.length > 0 && (
        <ul aria-label={t("label")} className="mt-6 flex flex-col gap-4">
          {providers.map((provider) => (
            <ProviderCard
              key={provider.slug}
              provider={provider}
              index={stored.indexOf(provider)}
              count={stored.length}
              actions={actions}
            />
          ))}
        </ul>
      )}
      <RemoveDialog removal={actions.removal} />
    </>
  );
}

type NewProviderProps = { publicUrl: string; slugs: readonly string[]; actions: ProviderActions };

/** Form of a new provider, whose heading takes the focus. */
function NewProvider({ publicUrl, slugs, actions }: NewProviderProps) {
  const { t } = useTranslation("identityProviders");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Section title={t("add.title")} headingRef={heading}>
      <ProviderForm
        provider={null}
        addressesFor={(name) => <ProviderAddresses {...addressesOf(publicUrl, chooseProviderSlug(name, slugs))} />}
        onSaved={actions.onAdded}
        onCancel={actions.form.close}
      />
    </Section>
  );
}

/** Asks before a provider is removed, and says what becomes of its identities. */
function RemoveDialog({ removal: { asked, cancel, remove } }: Pick<ProviderActions, "removal">) {
  const { t } = useTranslation("identityProviders");
  const identities = asked?.identities ?? 0;
  const sentences = [t("remove.text"), ...(identities > 0 ? [t("remove.identities", { count: identities })] : [])];
  return (
    <ConfirmDialog
      isOpen={asked !== null}
      onOpenChange={(isOpen) => !isOpen && cancel()}
      title={asked ? t("remove.title", { name: asked.name }) : ""}
      description={sentences.join(" ")}
      confirmLabel={t("remove.open")}
      onConfirm={() => asked && remove(asked)}
    />
  );
}
