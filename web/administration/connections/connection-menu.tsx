import { Ellipsis } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Connection } from "#contract/administration/connections.ts";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "../../ui/components/menu.tsx";
import { Spinner } from "../../ui/components/spinner.tsx";
import { useAfterClose } from "../../ui/lazy/opened-menu.tsx";
import { hasModels } from "./connection-words.ts";
import type { ConnectionActions } from "./use-connection-list.ts";

type ConnectionMenuProps = {
  connection: Connection;
  index: number;
  count: number;
  actions: ConnectionActions;
  view: "edit" | "models" | null;
};

/** Menu of the less frequent actions of a connection. */
export function ConnectionMenu({ connection, index, count, actions, view }: ConnectionMenuProps) {
  const { t } = useTranslation("connections");
  const { afterwards, onCloseAutoFocus } = useAfterClose();
  const { slug, name, isFixed, isEnabled } = connection;
  if (!hasModels(connection)) return null;
  const isBusy = actions.busy?.endsWith(` ${slug}`) === true;
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <IconButton
          label={t("moreLabel", { name })}
          hint={t("form.more")}
          icon={isBusy ? <Spinner /> : <Ellipsis aria-hidden="true" />}
          size="small"
          aria-busy={isBusy || undefined}
        />
      </MenuTrigger>
      <MenuContent align="start" aria-label={t("moreLabel", { name })} onCloseAutoFocus={onCloseAutoFocus}>
        {!isFixed && (
          <MenuItem
            onSelect={() => afterwards(() => actions.open(view === "models" ? null : { slug, view: "models" }))}
          >
            {t("models.open")}
          </MenuItem>
        )}
        {isEnabled && <MenuItem onSelect={() => actions.refresh(connection)}>{t("refresh")}</MenuItem>}
        {!isFixed && (
          <>
            <MenuItem onSelect={() => actions.enable(connection, !isEnabled)}>
              {isEnabled ? t("disable") : t("enable")}
            </MenuItem>
            {count > 1 && <MoveItems index={index} count={count} onMove={(to) => actions.move(index, to)} />}
            <MenuSeparator />
            <MenuItem danger onSelect={() => afterwards(() => actions.askToDelete(connection))}>
              {t("delete")}
            </MenuItem>
          </>
        )}
      </MenuContent>
    </Menu>
  );
}

type MoveItemsProps = { index: number; count: number; onMove: (to: number) => void };

function MoveItems({ index, count, onMove }: MoveItemsProps) {
  const { t } = useTranslation("connections");
  return (
    <>
      <MenuSeparator />
      <MenuItem disabled={index === 0} onSelect={() => onMove(index - 1)}>
        {t("moveUp")}
      </MenuItem>
      <MenuItem disabled={index === count - 1} onSelect={() => onMove(index + 1)}>
        {t("moveDown")}
      </MenuItem>
    </>
  );
}
