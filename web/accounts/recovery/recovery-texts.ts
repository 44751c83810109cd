import recovery from "../../locales/en/recovery.json";
import { i18n, registerTexts } from "../../locales/i18n.ts";
import { sentenceOf } from "../error-texts.ts";

registerTexts("recovery", recovery);

export const forgotErrorText = (error: unknown) => sentenceOf(error, i18n.t("recovery:forgot.failed"));
export const resetErrorText = (error: unknown) => sentenceOf(error, i18n.t("recovery:reset.failed"));
