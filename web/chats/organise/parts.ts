/** All that comes with one load. */

export { printChat, saveChat } from "../../transfer/chat-exports.ts";
export { ChatMenu } from "../chat-menu.tsx";
export { changeChats, deleteChats, renameChat } from "./change-chats.ts";
export { ChatDialogs } from "./chat-dialogs.tsx";
export { focusLine } from "./focus-line.ts";
export { FolderList } from "./folder-list.tsx";
export { Organiser } from "./organiser.tsx";
export { RenameField } from "./rename-field.tsx";
