/** The texts of what replies consist of, which come with what sets Markdown. */

import replies from "./en/replies.json";
import { i18n } from "./shell-texts.ts";

i18n.addResourceBundle("en", "replies", replies);

export { i18n };
