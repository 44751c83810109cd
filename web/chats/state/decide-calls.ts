/** Sends decisions on calls of tools. Separate from the other thunks, because only the first decision loads it. */

import { conversationPaths } from "#contract/conversation/paths.ts";
import { type DecisionRequest, decisionAnswerSchema } from "#contract/conversation/tool-calls.ts";
import { TIME_ZONE_HEADER } from "#contract/http.ts";
import { ApiError } from "../../api/client.ts";
import parts from "../../locales/en/parts.json";
import { i18n, registerTexts } from "../../locales/i18n.ts";
import type { ChatsThunk } from "./chats-store.ts";
import { refreshChat } from "./chats-thunks.ts";
import { wordFailure } from "./word-failure.ts";

registerTexts("parts", parts);

/**
 * Decides on calls of the last reply of a chat and reads the chat again: the page that shows it joins the reply if it goes
 * on. Resolves to the sentence of a failure, or to null.
 */
export function decideCalls(chat: string, request: DecisionRequest): ChatsThunk<Promise<string | null>> {
  return async (dispatch, _getState, { api }) => {
    const path = conversationPaths.chatDecision(encodeURIComponent(chat));
    let failure: string | null = null;
    try {
      const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      await api.post(path, request, decisionAnswerSchema, { headers: { [TIME_ZONE_HEADER]: timeZone } });
    } catch (cause) {
      failure = wordFailure(cause, i18n.t("parts:tools.undecided"));
      // Another tab or device has decided, or has sent a message.
      if (!(cause instanceof ApiError) || cause.status !== 409) return failure;
    }
    try {
      await dispatch(refreshChat(chat));
      return failure;
    } catch {
      return failure ?? i18n.t("chat:failure.refresh");
    }
  };
}
