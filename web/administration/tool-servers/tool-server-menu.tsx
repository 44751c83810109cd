import { Ellipsis } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { AdministeredMcpServer } from "#contract/administration/mcp-servers.ts";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "../../ui/components/menu.tsx";
import { Spinner } from "../../ui/components/spinner.tsx";
import { useAfterClose } from "../../ui/lazy/opened-menu.tsx";
import type { ToolServerActions } from "./use-tool-server-list.ts";

type ToolServerMenuProps = { server: AdministeredMcpServer; actions: ToolServerActions };

/** Menu of the less frequent actions of a stored server. */
export function ToolServerMenu({ server, actions }: ToolServerMenuProps) {
  const { t } = useTranslation("mcpServers");
  const { afterwards, onCloseAutoFocus } = useAfterClose();
  const { slug, name, isEnabled } = server;
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
      <MenuContent align="end" aria-label={t("moreLabel", { name })} onCloseAutoFocus={onCloseAutoFocus}>
        <MenuItem onSelect={() => actions.enable(server, !isEnabled)}>
          {isEnabled ? t("disable") : t("enable")}
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger onSelect={() => afterwards(() => actions.removal.ask(server))}>
          {t("remove.open")}
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
