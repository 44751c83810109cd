/** The texts of the page about the appearance, which come with it alone. */

import appearance from "./en/appearance.json";
import { i18n } from "./shell-texts.ts";

i18n.addResourceBundle("en", "appearance", appearance);
