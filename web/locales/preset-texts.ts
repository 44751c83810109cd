/** The texts of instructions and presets, which come with the parts that tell of them. */

import presets from "./en/presets.json";
import { i18n } from "./shell-texts.ts";

i18n.addResourceBundle("en", "presets", presets);

export { i18n };
