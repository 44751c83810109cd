import { ChartNoAxesColumn, Keyboard, Settings2, UsersRound } from "lucide-react";
import type { ReactElement } from "react";
import { useTranslation } from "react-i18next";
import { hasRole } from "#contract/accounts/roles.ts";
import { useSession } from "../accounts/session/session.ts";
import { MenuItem, MenuLabel, MenuSeparator } from "../ui/components/menu.tsx";
import { OpenedMenu, useAfterClose } from "../ui/lazy/opened-menu.tsx";
import { useGoToPage } from "../ui/use-go-to-settings.ts";
import { chatEvents } from "./state/chats-slice.ts";
import { useChatsDispatch } from "./state/chats-store.ts";

/** Menu of the signed-in person. The palette finds each page of the settings. */
export default function PersonChoices(menu: { trigger: ReactElement; isByKey: boolean }) {
  const { t } = useTranslation(["chat", "app"]);
  const { user } = useSession();
  const dispatch = useChatsDispatch();
  const goTo = useGoToPage();
  const { afterwards, onCloseAutoFocus } = useAfterClose();
  return (
    <OpenedMenu
      {...menu}
      side="top"
      align="start"
      onCloseAutoFocus={onCloseAutoFocus}
      aria-label={t("settings.label")}
      className="min-w-(--radix-dropdown-menu-trigger-width) [&_svg]:shrink-0"
    >
      {user && (
        <>
          <MenuLabel className="break-words">{user.email}</MenuLabel>
          <MenuSeparator />
        </>
      )}
      <MenuItem icon={<Settings2 aria-hidden="true" />} onSelect={() => goTo("/settings/account")}>
        {t("app:page.settings")}
      </MenuItem>
      <MenuItem icon={<ChartNoAxesColumn aria-hidden="true" />} onSelect={() => goTo("/settings/usage")}>
        {t("app:settingsPage.usage")}
      </MenuItem>
      {hasRole(user?.role ?? "person", "manager") && (
        <MenuItem icon={<UsersRound aria-hidden="true" />} onSelect={() => goTo("/administration/overview")}>
          {t("settings.administration")}
        </MenuItem>
      )}
      <MenuItem
        icon={<Keyboard aria-hidden="true" />}
        onSelect={() => afterwards(() => dispatch(chatEvents.organise({ dialog: { kind: "shortcuts" } })))}
      >
        {t("settings.shortcuts")}
      </MenuItem>
    </OpenedMenu>
  );
}
