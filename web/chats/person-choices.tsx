import { Keyboard, UsersRound } from "lucide-react";
import type { ReactElement } from "react";
import { useTranslation } from "react-i18next";
import { hasRole } from "#contract/roles.ts";
import { useSession } from "../accounts/session/session.ts";
import { MenuItem, MenuLabel, MenuSeparator } from "../ui/components/menu.tsx";
import { OpenedMenu, useAfterClose } from "../ui/lazy/opened-menu.tsx";
import { settingsSections } from "../ui/settings-sections.ts";
import { useGoToPage } from "../ui/use-go-to-settings.ts";
import { chatEvents } from "./state/chats-slice.ts";
import { useChatsDispatch } from "./state/chats-store.ts";

/** Menu with links to all settings pages of the signed-in person. */
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
      {settingsSections.map(({ section, Icon, name }) => (
        <MenuItem key={section} icon={<Icon aria-hidden="true" />} onSelect={() => goTo(`/settings/${section}`)}>
          {t(name)}
        </MenuItem>
      ))}
      {hasRole(user?.role ?? "person", "manager") && (
        <>
          <MenuSeparator />
          <MenuItem icon={<UsersRound aria-hidden="true" />} onSelect={() => goTo("/administration/overview")}>
            {t("settings.administration")}
          </MenuItem>
        </>
      )}
      <MenuSeparator />
      <MenuItem
        icon={<Keyboard aria-hidden="true" />}
        onSelect={() => afterwards(() => dispatch(chatEvents.organise({ dialog: { kind: "shortcuts" } })))}
      >
        {t("settings.shortcuts")}
      </MenuItem>
    </OpenedMenu>
  );
}
