import { Check, Copy } from "lucide-react";
import { useTranslation } from "react-i18next";
import { accountPaths } from "#contract/accounts/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { Field } from "../../ui/components/fields/field.tsx";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { useCopy } from "../../ui/use-copy.ts";

type ProviderAddressesProps = { redirectAddress: string; logoutAddress: string };

/** Addresses of this server that are registered at a provider, to copy. */
export function ProviderAddresses({ redirectAddress, logoutAddress }: ProviderAddressesProps) {
  const { t } = useTranslation("identityProviders");
  return (
    <div className="flex flex-col gap-4">
      <p className="text-pretty text-muted text-sm leading-text">{t("addresses.text")}</p>
      <CopiedAddress label={t("addresses.redirect")} address={redirectAddress} />
      <CopiedAddress label={t("addresses.logout")} hint={t("addresses.logoutHint")} address={logoutAddress} />
    </div>
  );
}

type CopiedAddressProps = { label: string; hint?: string; address: string };

function CopiedAddress({ label, hint, address }: CopiedAddressProps) {
  const { t } = useTranslation("identityProviders");
  const { isCopied, copy } = useCopy();
  return (
    <div>
      <Field
        label={label}
        hint={hint}
        value={address}
        readOnly
        dir="ltr"
        onFocus={({ currentTarget }) => currentTarget.select()}
        end={
          <IconButton
            label={t("addresses.copy", { name: label })}
            icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
            size="small"
            onClick={() => copy(address)}
          />
        }
      />
      <p role="status" className="sr-only">
        {isCopied && t("addresses.copied")}
      </p>
    </div>
  );
}

/** Returns the addresses that a new provider gets by its slug. */
export const addressesOf = (publicUrl: string, slug: string): ProviderAddressesProps => ({
  redirectAddress: `${publicUrl}/sso/${slug}`,
  logoutAddress: `${publicUrl}${API_BASE}${accountPaths.ssoLogout(slug)}`,
});
