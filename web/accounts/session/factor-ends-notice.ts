/** Lazy module that reports the end of a lost second factor to everybody who is signed in to the account. */

import { accountPaths } from "#contract/accounts/paths.ts";
import { api } from "../../api/client.ts";
import secondFactorTexts from "../../locales/en/secondFactor.json";
import { i18n, registerTexts } from "../../locales/i18n.ts";
import { loadPageTexts } from "../../locales/language.ts";
import { exactTime } from "../../locales/times.ts";
import { log } from "../../log.ts";
import { notify } from "../../ui/notifications/notify.ts";

registerTexts("secondFactor", secondFactorTexts);

/** Kind of the notification. */
export const FACTOR_ENDS = "factor-ends";

/** Shows when the second factor ends, with a button that stops it. @param endsAt Unix time in ms */
export async function notifyOfFactorEnd(endsAt: number): Promise<void> {
  await loadPageTexts();
  const t = i18n.getFixedT(null, "secondFactor");
  const keep = async () => {
    try {
      await api.delete(accountPaths.secondFactorLoss);
      notify("info", t("lossStopped"), { kind: FACTOR_ENDS });
    } catch (cause) {
      log.warn("The end of the second factor could not be stopped", cause);
      await notifyOfFactorEnd(endsAt);
    }
  };
  const action = { label: t("keep"), run: () => void keep() };
  notify("info", t("endsText", { time: exactTime(endsAt, i18n.language) }), { action, kind: FACTOR_ENDS });
}
