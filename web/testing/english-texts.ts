/** Registers all English texts: a module under test relies on the lazy module around it for that. */

import { i18n } from "../locales/i18n.ts";

const catalogues = import.meta.glob<object>("../locales/en/*.json", { eager: true, import: "default" });
for (const [path, texts] of Object.entries(catalogues))
  i18n.addResourceBundle("en", path.replace(/^.*\/|\.json$/g, ""), texts);
