/** The texts of exports and imports, which come with them alone. */

import transfer from "./en/transfer.json";
import { i18n } from "./shell-texts.ts";

i18n.addResourceBundle("en", "transfer", transfer);
