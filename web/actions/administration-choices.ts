/** Lazy module of the pages of the administration, with their texts. */

import { currentSession } from "../accounts/session/session.ts";
import { pagesFor } from "../administration/administration-pages.ts";
import administration from "../locales/en/administration.json";
import { i18n, registerTexts } from "../locales/i18n.ts";
import type { Choice } from "./action.ts";

registerTexts("administration", administration);

export function pagesToChoose(goTo: (path: string) => void): Choice[] {
  return pagesFor(currentSession().user?.role ?? "person").map(({ page }) => ({
    id: page,
    name: i18n.t(`administration:page.${page}`),
    run: () => goTo(`/administration/${page}`),
  }));
}
