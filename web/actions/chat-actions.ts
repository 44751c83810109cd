import {
  Archive,
  ArchiveRestore,
  FileDown,
  FileJson,
  FolderInput,
  PenLine,
  Pin,
  PinOff,
  Printer,
  ScrollText,
  Trash2,
} from "lucide-react";
import type { ChatExportFormat } from "#contract/transfer.ts";
import { selectFolders, selectPlaceOf } from "../chats/chats-selectors.ts";
import type { ChatDialog } from "../chats/chats-state.ts";
import { organiserPart } from "../chats/organiser-part.ts";
import { wordFailure } from "../chats/word-failure.ts";
import { i18n } from "../locales/organise-texts.ts";
import { notify } from "../ui/notifications.ts";
import type { Action, Choice } from "./action.ts";
import type { Ground } from "./ground.ts";

/** The chat on the screen, where it is one of the list. */
const listed = ({ session, chat, conversation }: Ground) => (session.kept || !conversation ? null : chat);
const placeOf = (ground: Ground) => selectPlaceOf(listed(ground) ?? "")(ground.kept.store.getState());
const isListed = (ground: Ground) => listed(ground) !== null;
const hasMessages = (ground: Ground) => isListed(ground) && ground.conversation?.messages.length !== 0;

type Organising = typeof import("../chats/organise/parts.ts");

async function organise(ground: Ground, work: (parts: Organising, chats: string[]) => void): Promise<void> {
  const chat = listed(ground);
  const parts = chat === null ? undefined : await organiserPart.ask();
  if (parts && chat !== null) work(parts, [chat]);
}

function change(ground: Ground, to: Parameters<Organising["changeChats"]>[1]): void {
  void organise(ground, (parts, chats) => void ground.kept.store.dispatch(parts.changeChats(chats, to)));
}

function open(ground: Ground, dialogOf: (id: string) => ChatDialog): void {
  const chat = listed(ground);
  if (chat !== null) ground.open(dialogOf(chat));
}

function exportAs(ground: Ground, work: (parts: Organising, chat: string) => Promise<void>): void {
  const fail = (error: unknown) => void notify("error", wordFailure(error, i18n.t("organise:menu.exportFailed")));
  void organise(ground, (parts, [chat = ""]) => void work(parts, chat).catch(fail));
}

const saveAs = (format: ChatExportFormat) => (ground: Ground) =>
  exportAs(ground, (parts, chat) => parts.saveChat(chat, format));

function foldersToChoose(ground: Ground): Choice[] {
  const { folderId } = placeOf(ground);
  const folders = selectFolders(ground.kept.store.getState());
  const move = (id: string | null) => () => change(ground, { folderId: id });
  return [
    ...folders.map(({ id, name }) => ({ id, name, isChosen: id === folderId, run: move(id) })),
    ...(folderId === undefined ? [] : [{ id: "none", name: i18n.t("actions:noFolder"), run: move(null) }]),
    {
      id: "new",
      name: i18n.t("actions:newFolder"),
      run: () => open(ground, (id) => ({ kind: "new-folder", chats: [id] })),
    },
  ];
}

/** What is done with the chat on the screen as a whole. */
export const chatActions: readonly Action[] = [
  {
    id: "rename",
    label: "actions:label.rename",
    icon: PenLine,
    group: "chat",
    when: isListed,
    run: (ground) => open(ground, (id) => ({ kind: "rename-chat", id })),
  },
  {
    id: "pin",
    label: "actions:label.pin",
    icon: Pin,
    group: "chat",
    when: (ground) => isListed(ground) && !placeOf(ground).isPinned && !placeOf(ground).isArchived,
    run: (ground) => change(ground, { isPinned: true }),
  },
  {
    id: "unpin",
    label: "actions:label.unpin",
    icon: PinOff,
    group: "chat",
    when: (ground) => isListed(ground) && placeOf(ground).isPinned === true,
    run: (ground) => change(ground, { isPinned: false }),
  },
  {
    id: "move",
    label: "actions:label.move",
    icon: FolderInput,
    group: "chat",
    when: isListed,
    run: (ground) => ground.open({ kind: "palette", scope: "move" }),
    choices: foldersToChoose,
  },
  {
    id: "archive",
    label: "actions:label.archive",
    icon: Archive,
    group: "chat",
    when: (ground) => isListed(ground) && !placeOf(ground).isArchived,
    run: (ground) => change(ground, { isArchived: true }),
  },
  {
    id: "unarchive",
    label: "actions:label.unarchive",
    icon: ArchiveRestore,
    group: "chat",
    when: (ground) => isListed(ground) && placeOf(ground).isArchived === true,
    run: (ground) => change(ground, { isArchived: false }),
  },
  {
    id: "instructions",
    label: "actions:label.instructions",
    icon: ScrollText,
    group: "chat",
    when: isListed,
    run: (ground) => open(ground, (id) => ({ kind: "instructions", id })),
  },
  {
    id: "exportMarkdown",
    label: "actions:label.exportMarkdown",
    icon: FileDown,
    group: "chat",
    when: hasMessages,
    run: saveAs("markdown"),
  },
  {
    id: "exportJson",
    label: "actions:label.exportJson",
    icon: FileJson,
    group: "chat",
    when: hasMessages,
    run: saveAs("json"),
  },
  {
    id: "print",
    label: "actions:label.print",
    icon: Printer,
    group: "chat",
    when: hasMessages,
    run: (ground) => exportAs(ground, (parts, chat) => parts.printChat(chat)),
  },
  {
    id: "delete",
    label: "actions:label.delete",
    icon: Trash2,
    group: "chat",
    isDanger: true,
    when: isListed,
    run: (ground) => void organise(ground, (parts, chats) => void ground.kept.store.dispatch(parts.deleteChats(chats))),
  },
];
