import { ChevronRight, Folder as FolderIcon, FolderPlus } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ChatListItem } from "#contract/chats.ts";
import type { Folder } from "#contract/folders.ts";
import { FOLDER_NAME_MAX } from "#contract/limits.ts";
import { useSession } from "../../accounts/session/session.ts";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { readOpenFolders, writeOpenFolders } from "../open-folders.ts";
import { selectFolderPage, selectFolders, selectIsLoadingFolder, selectRenaming } from "../state/chats-selectors.ts";
import { chatEvents } from "../state/chats-slice.ts";
import { useChatsDispatch, useChatsSelector } from "../state/chats-store.ts";
import { usePassFocusOn } from "../use-pass-focus-on.ts";
import { loadFolder, renameFolder } from "./change-folders.ts";
import { FolderMenu } from "./folder-menu.tsx";
import { RenameField } from "./rename-field.tsx";

type FolderListProps = { chatsOf: ReadonlyMap<string, ChatListItem[]>; line: (chat: ChatListItem) => ReactNode };

/** The folders with their chats; the open folders are stored in this browser. */
export function FolderList({ chatsOf, line }: FolderListProps) {
  const { t } = useTranslation("organise");
  const dispatch = useChatsDispatch();
  const account = useSession().user?.id ?? "";
  const folders = useChatsSelector(selectFolders);
  const [open, setOpen] = useState(() => readOpenFolders(account));
  const heading = useId();
  const toggle = (id: string, isOpen: boolean) => {
    const others = open.filter((other) => other !== id && folders.some((folder) => folder.id === other));
    const next = isOpen ? [...others, id] : others;
    setOpen(next);
    writeOpenFolders(account, next);
  };
  return (
    <section aria-labelledby={heading} className="mt-3 first:mt-1">
      <div className="flex items-center justify-between ps-4 pe-0.5">
        <h2 id={heading} className="py-1.5 font-medium text-muted text-xs">
          {t("folders.label")}
        </h2>
        <IconButton
          label={t("folders.new")}
          title={t("folders.new")}
          icon={<FolderPlus aria-hidden="true" />}
          size="small"
          className="-my-2 [&_svg]:size-4"
          onClick={() => dispatch(chatEvents.organise({ dialog: { kind: "new-folder", chats: [] } }))}
        />
      </div>
      <ul className="flex flex-col gap-px">
        {folders.map((folder) => (
          <FolderEntry
            key={folder.id}
            folder={folder}
            chats={chatsOf.get(folder.id) ?? []}
            line={line}
            isOpen={open.includes(folder.id)}
            onToggle={(isOpen) => toggle(folder.id, isOpen)}
          />
        ))}
      </ul>
    </section>
  );
}

type FolderEntryProps = {
  folder: Folder;
  chats: ChatListItem[];
  line: (chat: ChatListItem) => ReactNode;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
};

function FolderEntry({ folder, chats, line, isOpen, onToggle }: FolderEntryProps) {
  const { t } = useTranslation("organise");
  const dispatch = useChatsDispatch();
  const isRenaming = useChatsSelector(selectRenaming) === folder.id;
  const content = useId();
  const entry = useRef<HTMLLIElement>(null);
  usePassFocusOn(entry);
  return (
    <li ref={entry} data-drop={`folder:${folder.id}`} className="drop-place rounded-control">
      <div className="group/line relative flex items-center rounded-control transition-colors hover:bg-hover">
        {isRenaming ? (
          <RenameField
            label={t("name.folder")}
            name={folder.name}
            maxLength={FOLDER_NAME_MAX}
            onEnd={(name) => {
              dispatch(chatEvents.organise({ renaming: null }));
              if (name !== null) void dispatch(renameFolder(folder.id, name));
            }}
          />
        ) : (
          <>
            <button
              type="button"
              data-folder={folder.id}
              aria-expanded={isOpen}
              aria-controls={content}
              className="chat-title flex min-h-9 min-w-0 flex-1 items-center gap-2 rounded-control ps-1.5 pe-4 text-start text-sm pointer-coarse:min-h-11"
              onClick={() => onToggle(!isOpen)}
            >
              <ChevronRight
                aria-hidden="true"
                className={cx(
                  "size-3.5 shrink-0 text-muted transition-transform",
                  isOpen ? "rotate-90" : "rtl:rotate-180",
                )}
              />
              <FolderIcon aria-hidden="true" className="size-4 shrink-0 text-muted" />
              <span dir="auto" className="own-way min-w-0 flex-1 truncate">
                {folder.name}
              </span>
            </button>
            <FolderMenu folder={folder} />
          </>
        )}
      </div>
      <div id={content} hidden={!isOpen} className="ps-4">
        {isOpen && <FolderContent folder={folder} chats={chats} line={line} />}
      </div>
    </li>
  );
}

function FolderContent({ folder, chats, line }: Pick<FolderEntryProps, "folder" | "chats" | "line">) {
  const { t } = useTranslation("organise");
  const dispatch = useChatsDispatch();
  const page = useChatsSelector(selectFolderPage(folder.id));
  const isLoading = useChatsSelector(selectIsLoadingFolder(folder.id));
  const wasTried = page !== undefined;
  const hasFailed = page?.end === Infinity;
  useEffect(() => {
    if (!wasTried) void dispatch(loadFolder(folder.id));
  }, [wasTried, folder.id, dispatch]);
  const isComing = isLoading || !wasTried;
  const told = isComing ? "loading" : hasFailed ? "unread" : page.hasMore ? null : "empty";
  return (
    <>
      {chats.length > 0 && <ul className="flex flex-col gap-px">{chats.map(line)}</ul>}
      {told !== null && (chats.length === 0 || told === "unread") && (
        <p className="px-4 py-2 text-muted text-xs" role={isLoading ? "status" : undefined}>
          {t(`folders.${told}`)}
        </p>
      )}
      {page?.hasMore && !isLoading && (
        <Button
          variant="quiet"
          size="small"
          className="w-full text-muted"
          onClick={() => void dispatch(loadFolder(folder.id))}
        >
          {t(hasFailed ? "folders.again" : "folders.older")}
        </Button>
      )}
    </>
  );
}
