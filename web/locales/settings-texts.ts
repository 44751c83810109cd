/** The texts of the settings, which come with them alone. */

import settings from "./en/settings.json";
import { i18n } from "./shell-texts.ts";

i18n.addResourceBundle("en", "settings", settings);
