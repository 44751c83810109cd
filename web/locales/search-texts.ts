/** The texts of the search, which come with it alone. */

import search from "./en/search.json";
import { i18n } from "./shell-texts.ts";

i18n.addResourceBundle("en", "search", search);
