/** The texts of the palette and of the list of keys, which come with them. */

import actions from "./en/actions.json";
import { i18n } from "./shell-texts.ts";

i18n.addResourceBundle("en", "actions", actions);

export { i18n };
