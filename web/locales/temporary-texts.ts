/** The texts of the temporary chat, which come with it alone. */

import temporary from "./en/temporary.json";
import { i18n } from "./i18n.ts";

i18n.addResourceBundle("en", "temporary", temporary);

export { i18n };
