import { detailText, textByCode } from "../api/problem-text.ts";
import { i18n } from "../locales/i18n.ts";

export const sentenceOf = (error: unknown, fallback: string) => textByCode(error) ?? detailText(error) ?? fallback;

export const loginErrorText = (error: unknown) => sentenceOf(error, i18n.t("login.failed", { ns: "accounts" }));
export const googleErrorText = (error: unknown) => sentenceOf(error, i18n.t("login.googleFailed", { ns: "accounts" }));
export const registerErrorText = (error: unknown) => sentenceOf(error, i18n.t("register.failed", { ns: "accounts" }));
export const linkErrorText = (error: unknown) => sentenceOf(error, i18n.t("link.failed", { ns: "accounts" }));
export const verifyErrorText = (error: unknown) => sentenceOf(error, i18n.t("verify.failed", { ns: "accounts" }));
export const resendErrorText = (error: unknown) => sentenceOf(error, i18n.t("verify.resendFailed", { ns: "accounts" }));
