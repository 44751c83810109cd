/** Exports of the lazy organiser chunk. */

import organise from "../../locales/en/organise.json";
import presets from "../../locales/en/presets.json";
import { registerTexts } from "../../locales/i18n.ts";

registerTexts("organise", organise);
registerTexts("presets", presets);

export { ChatMenu } from "../chat-menu.tsx";
export { ArchivedLine } from "./archived-line.tsx";
export { changeChats, deleteChats, renameChat } from "./change-chats.ts";
export { exportChat } from "./export-chat.ts";
export { focusLine } from "./focus-line.ts";
export { FolderList } from "./folders/folder-list.tsx";
export { Organiser } from "./organiser.tsx";
export { RenameField } from "./rename-field.tsx";
export { stepEntries } from "./step-entries.ts";
