import {
  Archive,
  ArchiveRestore,
  FileDown,
  FolderInput,
  Link,
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
import { type Action, type Choice, chatAction, choiceAction } from "./action.ts";
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

/** Returns an action on the current chat, which by default must be in the list. */
const listedAction: typeof chatAction = (id, icon, run, rest) => chatAction(id, icon, run, { when: isListed, ...rest });

/** Actions on the current chat as a whole. */
export const chatActions: readonly Action[] = [
  listedAction("rename", Pencil, (context) => open(context, (id) => ({ kind: "rename-chat", id }))),
  listedAction("pin", Pin, (context) => change(context, { isPinned: true }), {
    when: (context) => isListed(context) && !locationOf(context).isPinned && !locationOf(context).isArchived,
  }),
  listedAction("unpin", PinOff, (context) => change(context, { isPinned: false }), {
    when: (context) => isListed(context) && locationOf(context).isPinned === true,
  }),
  choiceAction("move", FolderInput, foldersToChoose, isListed),
  listedAction("archive", Archive, (context) => change(context, { isArchived: true }), {
    when: (context) => isListed(context) && !locationOf(context).isArchived,
  }),
  listedAction("unarchive", ArchiveRestore, (context) => change(context, { isArchived: false }), {
    when: (context) => isListed(context) && locationOf(context).isArchived === true,
  }),
  listedAction("instructions", ScrollText, (context) => open(context, (id) => ({ kind: "instructions", id }))),
  listedAction("share", Link, (context) => open(context, (id) => ({ kind: "share", id })), { when: hasMessages }),
  listedAction("exportDocx", FileDown, saveAs("docx"), { when: hasMessages }),
  listedAction("exportMarkdown", FileDown, saveAs("markdown"), { when: hasMessages }),
  listedAction("exportJson", FileDown, saveAs("json"), { when: hasMessages }),
  listedAction(
    "print",
    Printer,
    ({ conversation, open: show }) => conversation && show({ kind: "print", id: conversation.id }),
    {
      isBrowsers: true,
      // A temporary chat too: the page has it in memory.
      when: ({ conversation }) => conversation !== null && conversation.messages.length > 0,
    },
  ),
  listedAction(
    "delete",
    Trash2,
    (context) =>
      void organise(context, (parts, chats) => void context.storedSession.store.dispatch(parts.deleteChats(chats))),
    { isDanger: true },
  ),
];
