/** The texts of what can be done with the branches of a conversation, which come with that alone. */

import branches from "./en/branches.json";
import { i18n } from "./shell-texts.ts";

i18n.addResourceBundle("en", "branches", branches);
