/** API calls of the settings. All throw ApiError; calls that need a proof must be made through `withProof`. */

import {
  type ChangePasswordRequest,
  deletionAnswerSchema,
  type NamesChange,
} from "#contract/accounts/account-settings.ts";
import { noticeSchema, userSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { securityLogSchema, sessionListSchema } from "#contract/accounts/sessions.ts";
import type { ChatBatch } from "#contract/conversation/chat-calls.ts";
import { chatBatchAnswerSchema, chatHistorySchema } from "#contract/conversation/chats.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { filePaths } from "#contract/files/paths.ts";
import { storageSchema } from "#contract/files/storage.ts";
import { api } from "../api/client.ts";
import type { ChangedFields } from "../forms/changed-fields.ts";

export const settingsApi = {
  changeNames: (names: ChangedFields<NamesChange>) => api.patch(accountPaths.me, names, userSchema),
  changeUsername: (username: string) => api.post(accountPaths.username, { username }, userSchema),
  changePassword: (request: ChangePasswordRequest) => api.post(accountPaths.password, request, null),
  /** Requests a mail with a link to the new address; each call sends another mail. */
  askForEmail: (email: string) => api.post(accountPaths.email, { email }, noticeSchema),
  cancelEmail: () => api.delete(accountPaths.email),

  connectGoogle: (idToken: string) => api.post(accountPaths.googleConnection, { id_token: idToken }, null),
  disconnectGoogle: () => api.delete(accountPaths.googleConnection),

  readSessions: (signal: AbortSignal) => api.get(accountPaths.sessions, sessionListSchema, { signal }),
  endSession: (id: string) => api.delete(accountPaths.session(id)),
  endOtherSessions: () => api.delete(accountPaths.sessions),

  /** Newest first; `before` is the id of an event. */
  readSecurityLog: (before: string | null, signal: AbortSignal) => {
    const query = before === null ? "" : `?${new URLSearchParams({ before })}`;
    return api.get(`${accountPaths.securityLog}${query}`, securityLogSchema, { signal });
  },

  /** By last activity, newest first; `before` is the id of a chat. */
  readArchived: ({ limit, before }: { limit: number; before?: string }, signal: AbortSignal) => {
    const query = new URLSearchParams({ archived: "true", limit: String(limit), ...(before && { before }) });
    return api.get(`${conversationPaths.chatHistory}?${query}`, chatHistorySchema, { signal });
  },
  changeChats: (ids: string[], change: ChatBatch["change"]) =>
    api.post(conversationPaths.chatBatch, { ids, change }, chatBatchAnswerSchema),

  readStorage: (signal: AbortSignal) => api.get(filePaths.storage, storageSchema, { signal }),

  deleteAccount: (isImmediate: boolean) =>
    api.post(accountPaths.accountDeletion, { isImmediate }, deletionAnswerSchema),
};
