/** The texts of the accessibility statement, which come with it alone. */

import access from "./en/access.json";
import { i18n } from "./shell-texts.ts";

i18n.addResourceBundle("en", "access", access);

export { i18n };
