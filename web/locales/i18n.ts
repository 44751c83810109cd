/** The whole catalogue: every text that a person reads, by language and namespace. For code of the chat. */

import type access from "./en/access.json";
import type actions from "./en/actions.json";
import type appearance from "./en/appearance.json";
import type branches from "./en/branches.json";
import chat from "./en/chat.json";
import type models from "./en/models.json";
import type organise from "./en/organise.json";
import type presets from "./en/presets.json";
import type replies from "./en/replies.json";
import type search from "./en/search.json";
import type settings from "./en/settings.json";
import type temporary from "./en/temporary.json";
import type transfer from "./en/transfer.json";
import type usage from "./en/usage.json";
import { i18n, type shellTexts } from "./shell-texts.ts";
import type { Variables } from "./variables.ts";

i18n.addResourceBundle("en", "chat", chat);

/** What comes later than the chat: texts of parts that are loaded when they are needed. */
type LaterTexts = {
  access: typeof access;
  actions: typeof actions;
  appearance: typeof appearance;
  branches: typeof branches;
  models: typeof models;
  organise: typeof organise;
  presets: typeof presets;
  replies: typeof replies;
  search: typeof search;
  settings: typeof settings;
  temporary: typeof temporary;
  transfer: typeof transfer;
  usage: typeof usage;
};
export type Texts = typeof shellTexts & { chat: typeof chat } & LaterTexts & Variables;

export { i18n };
