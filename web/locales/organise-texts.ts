/** The texts of what brings order into the chats, which come with it alone. */

import organise from "./en/organise.json";
import { i18n } from "./shell-texts.ts";

i18n.addResourceBundle("en", "organise", organise);

export { i18n };
