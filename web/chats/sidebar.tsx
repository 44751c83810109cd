import { PanelLeft, SquarePen, X } from "lucide-react";
import { type Ref, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../ui/components/button.tsx";
import { IconButton } from "../ui/components/icon-button.tsx";
import { usePreloadedModule } from "../ui/lazy/lazy-module.ts";
import { tooltip } from "../ui/tooltips/tooltip.ts";
import { ChatList } from "./list/chat-list.tsx";
import { TabStop, TabStopContext } from "./list/tab-stop.ts";
import { organiserModule } from "./organiser-module.ts";
import { toggleSidebar } from "./panel/sidebar-shape.ts";
import { SearchButton } from "./search-button.tsx";
import { SidebarFooter } from "./sidebar-footer.tsx";
import { selectHasHistory } from "./state/chats-selectors.ts";
import { useChatsDispatch, useChatsSelector } from "./state/chats-store.ts";
import { loadHistory } from "./state/chats-thunks.ts";
import { useBeginChat } from "./use-begin-chat.ts";

export type SidebarProps = {
  /** Null until the session is loaded. */
  username: string | null;
  onLogout: () => void;
  /** Called when a chat was chosen or begun; closes a drawer. */
  onChosen?: () => void;
  /** Called when a chat was begun, which may be the one already open. */
  onBegun?: () => void;
  /** Adds a close button for a drawer: touch screens may have no Escape key. */
  onClose?: () => void;
  /** Adds a button, with this ref, that collapses the sidebar to a rail. */
  collapser?: Ref<HTMLButtonElement>;
};

/** New chat, the history by days, and the person's menu. Fills its panel. */
export function Sidebar({ username, onLogout, onChosen, onBegun, onClose, collapser }: SidebarProps) {
  const { t } = useTranslation("chat");
  const hasHistory = useChatsSelector(selectHasHistory);
  const [isUsed, setUsed] = useState(false);
  const organiser = usePreloadedModule(organiserModule, isUsed && hasHistory);
  const parts = hasHistory ? organiser : undefined;
  const scroller = useRef<HTMLDivElement>(null);
  const [tabStop] = useState(() => new TabStop());

  const { begin, isCreating } = useBeginChat(() => {
    scroller.current?.scrollTo({ top: 0 });
    onChosen?.();
    onBegun?.();
  });

  return (
    <div className="flex h-full min-h-0 flex-col bg-sunken">
      <div className="flex gap-1 p-3 pt-[max(0.75rem,env(safe-area-inset-top))] pb-2">
        <Button
          variant="secondary"
          className="flex-1 px-2"
          disabled={isCreating}
          onClick={begin}
          {...tooltip(t("sidebar.newChat"), { shortcut: "newChat" })}
        >
          <SquarePen aria-hidden="true" className="size-4" />
          {t("sidebar.newChat")}
        </Button>
        <SearchButton />
        {collapser && (
          <IconButton
            ref={collapser}
            label={t("sidebar.hide")}
            shortcut="sidebar"
            icon={<PanelLeft aria-hidden="true" className="rtl:-scale-x-100" />}
            onClick={toggleSidebar}
          />
        )}
        {onClose && (
          <IconButton
            label={t("sidebar.close")}
            icon={<X aria-hidden="true" />}
            className="-me-1.5 shrink-0"
            onClick={onClose}
          />
        )}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys move the focus from control to control */}
      <div
        ref={scroller}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-3 pb-4"
        onPointerEnter={() => setUsed(true)}
        onFocus={() => setUsed(true)}
        onKeyDown={parts?.stepEntries}
      >
        <TabStopContext value={parts ? tabStop : null}>
          <ChatList onChosen={onChosen} />
        </TabStopContext>
      </div>
      {parts && <parts.Organiser list={scroller} />}
      <SidebarFooter username={username} onLogout={onLogout} />
    </div>
  );
}

/** Reads the history on mount. */
export function useHistory(): void {
  const dispatch = useChatsDispatch();
  useEffect(() => {
    void dispatch(loadHistory());
  }, [dispatch]);
}
