import { ChevronRight, Folder as FolderIcon, FolderPlus } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ChatListItem } from "#contract/conversation/chats.ts";
import type { Folder } from "#contract/conversation/folders.ts";
import { FOLDER_NAME_MAX } from "#contract/limits.ts";
import { useSession } from "../../../accounts/session/session.ts";
import { directionOf, keysOfMenu } from "../../../locales/direction.ts";
import { Button } from "../../../ui/components/button.tsx";
import { cx } from "../../../ui/components/cx.ts";
import { IconButton } from "../../../ui/components/icon-button.tsx";
import { tooltip } from "../../../ui/tooltips/tooltip.ts";
import { useTabStop } from "../../list/tab-stop.ts";
import { usePassFocusOn } from "../../list/use-pass-focus-on.ts";
import { useRowMenu } from "../../list/use-row-menu.ts";
import {
  selectFolderCount,
  selectFolderPage,
  selectFolders,
  selectIsFolderOpen,
  selectIsLoadingFolder,
  selectRenaming,
} from "../../state/chats-selectors.ts";
import { chatEvents } from "../../state/chats-slice.ts";
import { useChatsDispatch, useChatsSelector } from "../../state/chats-store.ts";
import { RenameField } from "../rename-field.tsx";
import { loadFolder, renameFolder, toggleFolder } from "./change-folders.ts";
import { FolderMenu } from "./folder-menu.tsx";

type FolderListProps = { chatsOf: ReadonlyMap<string, ChatListItem[]>; line: (chat: ChatListItem) => ReactNode };

/** The folders with their chats. */
export function FolderList({ chatsOf, line }: FolderListProps) {
  const { t } = useTranslation("organise");
  const dispatch = useChatsDispatch();
  const folders = useChatsSelector(selectFolders);
  const heading = useId();
  const { tabIndex, onFocus } = useTabStop("new-folder");
  return (
    <section aria-labelledby={heading} className="mt-3 first:mt-1">
      <div className="flex items-center justify-between ps-4 pe-0.5">
        <h2 id={heading} className="py-1.5 font-medium text-muted text-xs">
          {t("folders.label")}
        </h2>
        <IconButton
          label={t("folders.new")}
          icon={<FolderPlus aria-hidden="true" />}
          size="small"
          className="-my-2 [&_svg]:size-4"
          data-step=""
          tabIndex={tabIndex}
          onFocus={onFocus}
          onClick={() => dispatch(chatEvents.organise({ dialog: { kind: "new-folder", chats: [] } }))}
        />
      </div>
      <ul className="flex flex-col gap-px">
        {folders.map((folder) => (
          <FolderEntry key={folder.id} folder={folder} chats={chatsOf.get(folder.id) ?? []} line={line} />
        ))}
      </ul>
    </section>
  );
}

type FolderEntryProps = {
  folder: Folder;
  chats: ChatListItem[];
  line: (chat: ChatListItem) => ReactNode;
};

function FolderEntry({ folder, chats, line }: FolderEntryProps) {
  const { t } = useTranslation("organise");
  const dispatch = useChatsDispatch();
  const isRenaming = useChatsSelector(selectRenaming) === folder.id;
  const isOpen = useChatsSelector(selectIsFolderOpen(folder.id));
  const content = useId();
  const entry = useRef<HTMLLIElement>(null);
  usePassFocusOn(entry);
  const { tabIndex, innerTabIndex, onFocus } = useTabStop(folder.id);
  const menu = useRowMenu();
  const rename = (name: string | null) => {
    dispatch(chatEvents.organise({ renaming: null }));
    if (name !== null) void dispatch(renameFolder(folder.id, name));
  };
  return (
    <li ref={entry} data-drop={`folder:${folder.id}`} className="drop-place rounded-control">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only observes its button, and has the context menu */}
      <div
        data-folder-line=""
        onFocus={onFocus}
        onContextMenu={menu.onContextMenu}
        className="group/line relative flex items-center rounded-control transition-colors hover:bg-hover"
      >
        {isRenaming ? (
          <RenameField label={t("name.folder")} name={folder.name} maxLength={FOLDER_NAME_MAX} onEnd={rename} />
        ) : (
          <>
            <FolderButton
              folder={folder}
              isOpen={isOpen}
              loadedCount={chats.length}
              content={content}
              tabIndex={tabIndex}
            />
            <FolderMenu folder={folder} menu={menu} tabIndex={innerTabIndex} />
          </>
        )}
      </div>
      <div id={content} hidden={!isOpen} className="ps-4">
        {isOpen && <FolderContent folder={folder} chats={chats} line={line} />}
      </div>
    </li>
  );
}

type FolderButtonProps = {
  folder: Folder;
  isOpen: boolean;
  /** Number of its loaded chats, shown until the number of all is known. */
  loadedCount: number;
  /** Id of the element with the chats. */
  content: string;
  tabIndex: number | undefined;
};

/** The name of a folder, which opens and closes it, with the number of its chats. */
function FolderButton({ folder, isOpen, loadedCount, content, tabIndex }: FolderButtonProps) {
  const { t, i18n } = useTranslation("organise");
  const dispatch = useChatsDispatch();
  const account = useSession().user?.id ?? "";
  const count = useChatsSelector(selectFolderCount(folder.id)) ?? loadedCount;
  const countId = useId();
  const toggle = () => dispatch(toggleFolder(account, folder.id));
  const openByKey = (event: KeyboardEvent) => {
    const { into, out } = keysOfMenu();
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key !== (isOpen ? out : into)) return;
    event.preventDefault();
    toggle();
  };
  return (
    <>
      <button
        type="button"
        data-folder={folder.id}
        aria-expanded={isOpen}
        aria-controls={content}
        aria-describedby={count > 0 ? countId : undefined}
        tabIndex={tabIndex}
        onKeyDown={openByKey}
        className="chat-title flex min-h-9 min-w-0 flex-1 items-center gap-2 rounded-control ps-1.5 pe-10 text-start text-sm pointer-coarse:min-h-11"
        onClick={toggle}
      >
        <ChevronRight
          aria-hidden="true"
          className={cx("size-3.5 shrink-0 text-muted transition-transform", isOpen ? "rotate-90" : "rtl:rotate-180")}
        />
        <FolderIcon aria-hidden="true" className="size-4 shrink-0 text-muted" />
        <span
          dir={directionOf(folder.name)}
          className="own-way min-w-0 flex-1 overflow-hidden whitespace-nowrap"
          {...tooltip(folder.name, { isForCutText: true, isBeside: true })}
        >
          {folder.name}
        </span>
      </button>
      {count > 0 && (
        <span
          id={countId}
          className="pointer-events-none absolute end-3 text-muted text-xs tabular-nums group-focus-within/line:opacity-0 group-hover/line:opacity-0 group-has-[[data-state=open]]/line:opacity-0"
        >
          <span aria-hidden="true">{new Intl.NumberFormat(i18n.language).format(count)}</span>
          <span className="sr-only">{t("folders.count", { count })}</span>
        </span>
      )}
    </>
  );
}

function FolderContent({ folder, chats, line }: Pick<FolderEntryProps, "folder" | "chats" | "line">) {
  const { t } = useTranslation("organise");
  const dispatch = useChatsDispatch();
  const page = useChatsSelector(selectFolderPage(folder.id));
  const isLoading = useChatsSelector(selectIsLoadingFolder(folder.id));
  const wasTried = page !== undefined;
  const hasFailed = page?.end === Infinity;
  const { tabIndex, onFocus } = useTabStop(`older:${folder.id}`);
  useEffect(() => {
    if (!wasTried) void dispatch(loadFolder(folder.id));
  }, [wasTried, folder.id, dispatch]);
  const isComing = isLoading || !wasTried;
  const notice = isComing ? "loading" : hasFailed ? "unread" : page.hasMore ? null : "empty";
  return (
    <>
      {chats.length > 0 && <ul className="flex flex-col gap-px">{chats.map(line)}</ul>}
      {notice !== null && (chats.length === 0 || notice === "unread") && (
        <p className="px-4 py-2 text-muted text-xs" role={isLoading ? "status" : undefined}>
          {t(`folders.${notice}`)}
        </p>
      )}
      {page?.hasMore && !isLoading && (
        <Button
          variant="quiet"
          size="small"
          className="w-full text-muted"
          data-step=""
          tabIndex={tabIndex}
          onFocus={onFocus}
          onClick={() => void dispatch(loadFolder(folder.id))}
        >
          {t(hasFailed ? "folders.again" : "folders.older")}
        </Button>
      )}
    </>
  );
}
