import {
  Archive,
  ArchiveRestore,
  FileDown,
  FileJson,
  FolderInput,
  Pencil,
  Pin,
  PinOff,
  Printer,
  ScrollText,
  Trash2,
} from "lucide-react";
import type { ChatExportFormat } from "#contract/transfer/transfer.ts";
import { organiserModule } from "../chats/organiser-module.ts";
import { selectChatLocation, selectFolders } from "../chats/state/chats-selectors.ts";
import type { ChatDialog } from "../chats/state/chats-state.ts";
import { i18n } from "../locales/i18n.ts";
import type { Action, Choice } from "./action.ts";
import type { ActionContext } from "./action-context.ts";

/** Returns the current chat if it is in the list. */
const listed = ({ session, chat, conversation }: ActionContext) =>
  session.storedSession || !conversation ? null : chat;
const locationOf = (context: ActionContext) =>
  selectChatLocation(listed(context) ?? "")(context.storedSession.store.getState());
const isListed = (context: ActionContext) => listed(context) !== null;
const hasMessages = (context: ActionContext) => isListed(context) && context.conversation?.messages.length !== 0;

type Organising = typeof import("../chats/organise/lazy-organiser.ts");

async function organise(context: ActionContext, work: (parts: Organising, chats: string[]) => void): Promise<void> {
  const chat = listed(context);
  const parts = chat === null ? undefined : await organiserModule.ask();
  if (parts && chat !== null) work(parts, [chat]);
}

function change(context: ActionContext, to: Parameters<Organising["changeChats"]>[1]): void {
  void organise(context, (parts, chats) => void context.storedSession.store.dispatch(parts.changeChats(chats, to)));
}

function open(context: ActionContext, dialogOf: (id: string) => ChatDialog): void {
  const chat = listed(context);
  if (chat !== null) context.open(dialogOf(chat));
}

const saveAs = (format: ChatExportFormat) => (context: ActionContext) =>
  void organise(context, (parts, [chat = ""]) => void parts.exportChat(chat, format));

function foldersToChoose(context: ActionContext): Choice[] {
  const { folderId } = locationOf(context);
  const folders = selectFolders(context.storedSession.store.getState());
  const move = (id: string | null) => () => change(context, { folderId: id });
  return [
    ...folders.map(({ id, name }) => ({ id, name, isChosen: id === folderId, run: move(id) })),
    ...(folderId === undefined ? [] : [{ id: "none", name: i18n.t("actions:noFolder"), run: move(null) }]),
    {
      id: "new",
      name: i18n.t("actions:newFolder"),
      run: () => open(context, (id) => ({ kind: "new-folder", chats: [id] })),
    },
  ];
}

/** Actions on the current chat as a whole. */
export const chatActions: readonly Action[] = [
  {
    id: "rename",
    label: "actions:label.rename",
    icon: Pencil,
    group: "chat",
    when: isListed,
    run: (context) => open(context, (id) => ({ kind: "rename-chat", id })),
  },
  {
    id: "pin",
    label: "actions:label.pin",
    icon: Pin,
    group: "chat",
    when: (context) => isListed(context) && !locationOf(context).isPinned && !locationOf(context).isArchived,
    run: (context) => change(context, { isPinned: true }),
  },
  {
    id: "unpin",
    label: "actions:label.unpin",
    icon: PinOff,
    group: "chat",
    when: (context) => isListed(context) && locationOf(context).isPinned === true,
    run: (context) => change(context, { isPinned: false }),
  },
  {
    id: "move",
    label: "actions:label.move",
    icon: FolderInput,
    group: "chat",
    when: isListed,
    run: (context) => context.open({ kind: "palette", scope: "move" }),
    choices: foldersToChoose,
  },
  {
    id: "archive",
    label: "actions:label.archive",
    icon: Archive,
    group: "chat",
    when: (context) => isListed(context) && !locationOf(context).isArchived,
    run: (context) => change(context, { isArchived: true }),
  },
  {
    id: "unarchive",
    label: "actions:label.unarchive",
    icon: ArchiveRestore,
    group: "chat",
    when: (context) => isListed(context) && locationOf(context).isArchived === true,
    run: (context) => change(context, { isArchived: false }),
  },
  {
    id: "instructions",
    label: "actions:label.instructions",
    icon: ScrollText,
    group: "chat",
    when: isListed,
    run: (context) => open(context, (id) => ({ kind: "instructions", id })),
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
    isBrowsers: true,
    // A temporary chat too: the page has it in memory.
    when: ({ conversation }) => conversation !== null && conversation.messages.length > 0,
    run: ({ conversation, open: show }) => conversation && show({ kind: "print", id: conversation.id }),
  },
  {
    id: "delete",
    label: "actions:label.delete",
    icon: Trash2,
    group: "chat",
    isDanger: true,
    when: isListed,
    run: (context) =>
      void organise(context, (parts, chats) => void context.storedSession.store.dispatch(parts.deleteChats(chats))),
  },
];
