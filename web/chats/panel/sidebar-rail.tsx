import { PanelLeft, SquarePen } from "lucide-react";
import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { PersonMenu } from "../person-menu.tsx";
import { SearchButton } from "../search-button.tsx";
import { useBeginChat } from "../use-begin-chat.ts";
import { toggleSidebar } from "./sidebar-shape.ts";

type SidebarRailProps = { username: string | null; onBegun: () => void; expander: Ref<HTMLButtonElement> };

/** The collapsed sidebar: its main buttons as icons, with their names as tooltips. */
export function SidebarRail({ username, onBegun, expander }: SidebarRailProps) {
  const { t } = useTranslation("chat");
  const { begin, isCreating } = useBeginChat(onBegun);
  return (
    <div className="flex h-full flex-col items-center gap-1 bg-sunken py-3 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
      <IconButton
        ref={expander}
        label={t("sidebar.show")}
        shortcut="sidebar"
        hasHintBeside
        icon={<PanelLeft aria-hidden="true" className="rtl:-scale-x-100" />}
        onClick={toggleSidebar}
      />
      <IconButton
        label={t("sidebar.newChat")}
        shortcut="newChat"
        hasHintBeside
        icon={<SquarePen aria-hidden="true" />}
        disabled={isCreating}
        onClick={begin}
      />
      <SearchButton hasHintBeside />
      <div className="mt-auto">
        <PersonMenu username={username} isCompact />
      </div>
    </div>
  );
}
