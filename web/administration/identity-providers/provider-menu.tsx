import { Ellipsis } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { AdministeredProvider } from "#contract/administration/identity-providers.ts";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "../../ui/components/menu.tsx";
import { Spinner } from "../../ui/components/spinner.tsx";
import { useAfterClose } from "../../ui/lazy/opened-menu.tsx";
import type { ProviderActions } from "./use-provider-list.ts";

type ProviderMenuProps = { provider: AdministeredProvider; index: number; count: number; actions: ProviderActions };

/** Menu of the less frequent actions of a stored provider. */
export function ProviderMenu({ provider, index, count, actions }: ProviderMenuProps) {
  const { t } = useTranslation("identityProviders");
  const { afterwards, onCloseAutoFocus } = useAfterClose();
  const { slug, name, isEnabled } = provider;
  const isBusy = actions.busy?.endsWith(` ${slug}`) === true;
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <IconButton
          label={t("moreLabel", { name })}
          hint={t("more")}
          icon={isBusy ? <Spinner /> : <Ellipsis aria-hidden="true" />}
          size="small"
          aria-busy={isBusy || undefined}
        />
      </MenuTrigger>
      <MenuContent align="start" aria-label={t("moreLabel", { name })} onCloseAutoFocus={onCloseAutoFocus}>
        <MenuItem onSelect={() => actions.enable(provider, !isEnabled)}>
          {isEnabled ? t("disable") : t("enable")}
        </MenuItem>
        {count > 1 && (
          <>
            <MenuSeparator />
            <MenuItem disabled={index === 0} onSelect={() => actions.move(index, index - 1)}>
              {t("moveUp")}
            </MenuItem>
            <MenuItem disabled={index === count - 1} onSelect={() => actions.move(index, index + 1)}>
              {t("moveDown")}
            </MenuItem>
          </>
        )}
        <MenuSeparator />
        <MenuItem danger onSelect={() => afterwards(() => actions.removal.ask(provider))}>
          {t("remove.open")}
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
