/** The texts of what was used, which come with it alone. */

import usage from "./en/usage.json";
import { i18n } from "./shell-texts.ts";

i18n.addResourceBundle("en", "usage", usage);
