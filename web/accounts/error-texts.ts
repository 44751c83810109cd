import { detailText, textByCode } from "../api/problem-text.ts";
import { i18n } from "../locales/i18n.ts";

const text = (error: unknown, fallback: string) => textByCode(error) ?? detailText(error) ?? fallback;

export const loginErrorText = (error: unknown) => text(error, i18n.t("login.failed", { ns: "accounts" }));
export const googleErrorText = (error: unknown) => text(error, i18n.t("login.googleFailed", { ns: "accounts" }));
export const registerErrorText = (error: unknown) => text(error, i18n.t("register.failed", { ns: "accounts" }));
export const forgotErrorText = (error: unknown) => text(error, i18n.t("forgot.failed", { ns: "accounts" }));
export const resetErrorText = (error: unknown) => text(error, i18n.t("reset.failed", { ns: "accounts" }));
export const linkErrorText = (error: unknown) => text(error, i18n.t("link.failed", { ns: "accounts" }));
export const verifyErrorText = (error: unknown) => text(error, i18n.t("verify.failed", { ns: "accounts" }));
export const resendErrorText = (error: unknown) => text(error, i18n.t("verify.resendFailed", { ns: "accounts" }));
