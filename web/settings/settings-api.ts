/** API calls of the settings. All throw ApiError; calls that need a proof must be made through `withProof`. */

import {
  accountDetailsSchema,
  type ChangePasswordRequest,
  deletionAnswerSchema,
  type NamesRequest,
  type ProofRequest,
  provedSchema,
} from "#contract/account-settings.ts";
import { noticeSchema, userSchema } from "#contract/accounts.ts";
import type { ChatBatch } from "#contract/calls/chat-calls.ts";
import { chatBatchAnswerSchema, chatHistorySchema } from "#contract/chats.ts";
import { paths } from "#contract/paths.ts";
import { securityLogSchema, sessionListSchema } from "#contract/sessions.ts";
import { storageSchema } from "#contract/storage.ts";
import { api } from "../api/client.ts";

export const settingsApi = {
  readDetails: (signal: AbortSignal) => api.get(paths.account, accountDetailsSchema, { signal }),
  prove: (proof: ProofRequest) => api.post(paths.proof, proof, provedSchema),

  changeNames: (names: NamesRequest) => api.patch(paths.me, names, userSchema),
  changeUsername: (username: string) => api.post(paths.username, { username }, userSchema),
  changePassword: (request: ChangePasswordRequest) => api.post(paths.password, request, null),
  /** Requests a mail with a link to the new address; each call sends another mail. */
  askForEmail: (email: string) => api.post(paths.email, { email }, noticeSchema),
  cancelEmail: () => api.delete(paths.email),

  connectGoogle: (idToken: string) => api.post(paths.googleConnection, { id_token: idToken }, null),
  disconnectGoogle: () => api.delete(paths.googleConnection),

  readSessions: (signal: AbortSignal) => api.get(paths.sessions, sessionListSchema, { signal }),
  endSession: (id: string) => api.delete(paths.session(id)),
  endOtherSessions: () => api.delete(paths.sessions),

  /** Newest first; `before` is the id of an event. */
  readSecurityLog: (before: string | null, signal: AbortSignal) => {
    const query = before === null ? "" : `?${new URLSearchParams({ before })}`;
    return api.get(`${paths.securityLog}${query}`, securityLogSchema, { signal });
  },

  /** By last activity, newest first; `before` is the id of a chat. */
  readArchived: ({ limit, before }: { limit: number; before?: string }, signal: AbortSignal) => {
    const query = new URLSearchParams({ archived: "true", limit: String(limit), ...(before && { before }) });
    return api.get(`${paths.chatHistory}?${query}`, chatHistorySchema, { signal });
  },
  changeChats: (ids: string[], change: ChatBatch["change"]) =>
    api.post(paths.chatBatch, { ids, change }, chatBatchAnswerSchema),

  readStorage: (signal: AbortSignal) => api.get(paths.storage, storageSchema, { signal }),

  deleteAccount: (isImmediate: boolean) => api.post(paths.accountDeletion, { isImmediate }, deletionAnswerSchema),
};
