import { ChevronsUpDown } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../accounts/session.ts";
import { Menu, MenuContent, MenuItem, MenuLabel, MenuSeparator, MenuTrigger } from "../ui/menu.tsx";
import { useGoToSettings } from "./use-go-to-settings.ts";

const pages = ["account", "security", "chat", "data", "activity"] as const;

/** Who is here, with the way to their settings. */
export function PersonMenu({ username }: { username: string | null }) {
  const { t } = useTranslation("chat");
  const { user } = useSession();
  const goToSettings = useGoToSettings();
  const trigger = useRef<HTMLButtonElement>(null);
  const [landmark, setLandmark] = useState<HTMLElement | null>(null);
  const name = username ?? t("sidebar.user");
  return (
    <Menu modal={false} onOpenChange={() => setLandmark(trigger.current?.closest("nav") ?? null)}>
      <MenuTrigger asChild>
        <button
          ref={trigger}
          type="button"
          className="flex min-h-11 min-w-0 flex-1 items-center gap-2.5 rounded-control px-2 text-start transition-colors hover:bg-hover data-[state=open]:bg-hover"
        >
          <span
            aria-hidden="true"
            className="flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-soft font-semibold text-accent text-xs"
          >
            {[...name].slice(0, 2).join("").toUpperCase()}
          </span>
          <span className="min-w-0 flex-1 truncate font-medium text-sm">{name}</span>
          <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
        </button>
      </MenuTrigger>
      <MenuContent
        container={landmark}
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
      </MenuContent>
    </Menu>
  );
}
