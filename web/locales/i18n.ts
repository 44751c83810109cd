/** The whole catalogue: every text that a person reads, by language and namespace. For code of the chat. */

import type { access } from "./en/access.ts";
import type { actions } from "./en/actions.ts";
import type { appearance } from "./en/appearance.ts";
import type { branches } from "./en/branches.ts";
import { chat } from "./en/chat.ts";
import type { models } from "./en/models.ts";
import type { organise } from "./en/organise.ts";
import type { presets } from "./en/presets.ts";
import type { replies } from "./en/replies.ts";
import type { search } from "./en/search.ts";
import type { settings } from "./en/settings.ts";
import type { temporary } from "./en/temporary.ts";
import type { transfer } from "./en/transfer.ts";
import type { usage } from "./en/usage.ts";
import { i18n, type shellTexts } from "./shell-texts.ts";

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
export type Texts = typeof shellTexts & { chat: typeof chat } & LaterTexts;

export { i18n };
