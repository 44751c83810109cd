/** The texts of the page about models, which come with it alone. */

import models from "./en/models.json";
import { i18n } from "./shell-texts.ts";

i18n.addResourceBundle("en", "models", models);
