import type { ReactElement } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../accounts/session/session.ts";
import { MenuItem, MenuLabel, MenuSeparator } from "../ui/components/menu.tsx";
import { OpenedMenu } from "../ui/lazy/opened-menu.tsx";
import { useGoToSettings } from "../ui/use-go-to-settings.ts";
import { chatEvents } from "./state/chats-slice.ts";
import { useChatsDispatch } from "./state/chats-store.ts";

const pages = ["account", "appearance", "chat", "data", "security", "activity"] as const;

/** Menu with links to the settings of the signed-in person. */
export default function PersonChoices(menu: { trigger: ReactElement; isByKey: boolean }) {
  const { t } = useTranslation("chat");
  const { user } = useSession();
  const dispatch = useChatsDispatch();
  const goToSettings = useGoToSettings();
  return (
    <OpenedMenu
      {...menu}
      side="top"
      align="start"
      aria-label={t("settings.label")}
      className="w-(--radix-dropdown-menu-trigger-width) max-w-none"
    >
      {user && (
        <>
          <MenuLabel className="break-words">{user.email}</MenuLabel>
          <MenuSeparator />
        </>
      )}
      {pages.map((page) => (
        <MenuItem key={page} onSelect={() => goToSettings(page)}>
          {t(`settings.${page}`)}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={() => setTimeout(() => dispatch(chatEvents.organise({ dialog: { kind: "shortcuts" } })))}>
        {t("settings.shortcuts")}
      </MenuItem>
    </OpenedMenu>
  );
}
