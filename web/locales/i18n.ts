/** The whole catalogue: every text that a person reads, by language and namespace. For code of the chat. */

import { chat } from "./en/chat.ts";
import type { settings } from "./en/settings.ts";
import type { temporary } from "./en/temporary.ts";
import { i18n, type shellTexts } from "./shell-texts.ts";

i18n.addResourceBundle("en", "chat", chat);

export type Texts = typeof shellTexts & { chat: typeof chat; settings: typeof settings; temporary: typeof temporary };

export { i18n };
