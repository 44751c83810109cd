import { problemSchema } from "#contract/problem.ts";
import { i18n } from "../locales/i18n.ts";
import { isObject, parseObject } from "./reply-text.ts";

/** Reason of a refused send. `code`: only for responses of our server. `file`: id of the file that is the reason. */
export type ReplyRefusal = { status: number; code?: string; file?: string | undefined; text: string };

/**
 * Translates the body of a failed response: a problem document by its code, anything else by the specification's error
 * catalogue.
 */
export function wordRefusal(status: number, body: string): ReplyRefusal {
  const value = parseObject(body);
  const problem = problemSchema.safeParse(value);
  if (problem.success) {
    const { detail, code, file } = problem.data;
    return { status, code, file, text: typeof detail === "string" ? detail : detail.message };
  }
  if (status !== 400) return { status, text: isText(body) ? body : `HTTP ${status}` };
  const detail = value && isObject(value.detail) ? value.detail : {};
  const candidates = [detail.message, detail.error, value?.error, body.trim()];
  const text = candidates.find((candidate) => typeof candidate === "string" && candidate !== "");
  return { status, text: typeof text === "string" ? text : i18n.t("failure.unknown") };
}

/** Whether a body can be shown: it is not empty, and not the HTML page of a proxy. */
const isText = (body: string) => body.trim() !== "" && !/^\s*<[!?a-z]/i.test(body);
