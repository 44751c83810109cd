import { Ellipsis } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { PersonalServer } from "#contract/mcp/own-servers.ts";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "../../ui/components/menu.tsx";
import { Spinner } from "../../ui/components/spinner.tsx";
import { useAfterClose } from "../../ui/lazy/opened-menu.tsx";
import type { PersonalServerActions } from "./use-personal-server-actions.ts";

type PersonalServerMenuProps = { server: PersonalServer; actions: PersonalServerActions; onRemove: () => void };

/** Menu of the less frequent actions of a server. */
export function PersonalServerMenu({ server, actions, onRemove }: PersonalServerMenuProps) {
  const { t } = useTranslation("ownServers");
  const { afterwards, onCloseAutoFocus } = useAfterClose();
  const { name, isOn, isOwn, signedInAt } = server;
  const isBusy = actions.busy !== null;
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
      <MenuContent align="end" aria-label={t("moreLabel", { name })} onCloseAutoFocus={onCloseAutoFocus}>
        {isOn && <MenuItem onSelect={actions.refresh}>{t("refresh")}</MenuItem>}
        {isOn && signedInAt !== undefined && <MenuItem onSelect={actions.signOut}>{t("signOut")}</MenuItem>}
        {isOwn && (
          <MenuItem danger onSelect={() => afterwards(onRemove)}>
            {t("remove.open")}
          </MenuItem>
        )}
      </MenuContent>
    </Menu>
  );
}
