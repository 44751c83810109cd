/** API calls of the settings. All throw ApiError; calls that need a proof must be made through `withProof`. */

import {
  accountDetailsSchema,
  type ChangePasswordRequest,
  deletionAnswerSchema,
  type NamesChange,
  type ProofRequest,
  provedSchema,
} from "#contract/account-settings.ts";
import { noticeSchema, userSchema } from "#contract/accounts.ts";
import type { ChatBatch } from "#contract/calls/chat-calls.ts";
import { chatBatchAnswerSchema, chatHistorySchema } from "#contract/chats.ts";
import { paths } from "#contract/paths.ts";
import { securityLogSchema, sessionListSchema } from "#contract/sessions.ts";
import { settingsPaths } from "#contract/settings-paths.ts";
import { storageSchema } from "#contract/storage.ts";
import { api } from "../api/client.ts";
import type { ChangedFields } from "../forms/changed-fields.ts";

export const settingsApi = {
  readDetails: (signal: AbortSignal) => api.get(settingsPaths.account, accountDetailsSchema, { signal }),
  prove: (proof: ProofRequest) => api.post(settingsPaths.proof, proof, provedSchema),

  changeNames: (names: ChangedFields<NamesChange>) => api.patch(paths.me, names, userSchema),
  changeUsername: (username: string) => api.post(settingsPaths.username, { username }, userSchema),
  changePassword: (request: ChangePasswordRequest) => api.post(settingsPaths.password, request, null),
  /** Requests a mail with a link to the new address; each call sends another mail. */
  askForEmail: (email: string) => api.post(settingsPaths.email, { email }, noticeSchema),
  cancelEmail: () => api.delete(settingsPaths.email),

  connectGoogle: (idToken: string) => api.post(settingsPaths.googleConnection, { id_token: idToken }, null),
  disconnectGoogle: () => api.delete(settingsPaths.googleConnection),

  readSessions: (signal: AbortSignal) => api.get(settingsPaths.sessions, sessionListSchema, { signal }),
  endSession: (id: string) => api.delete(settingsPaths.session(id)),
  endOtherSessions: () => api.delete(settingsPaths.sessions),

  /** Newest first; `before` is the id of an event. */
  readSecurityLog: (before: string | null, signal: AbortSignal) => {
    const query = before === null ? "" : `?${new URLSearchParams({ before })}`;
    return api.get(`${settingsPaths.securityLog}${query}`, securityLogSchema, { signal });
  },

  /** By last activity, newest first; `before` is the id of a chat. */
  readArchived: ({ limit, before }: { limit: number; before?: string }, signal: AbortSignal) => {
    const query = new URLSearchParams({ archived: "true", limit: String(limit), ...(before && { before }) });
    return api.get(`${paths.chatHistory}?${query}`, chatHistorySchema, { signal });
  },
  changeChats: (ids: string[], change: ChatBatch["change"]) =>
    api.post(paths.chatBatch, { ids, change }, chatBatchAnswerSchema),

  readStorage: (signal: AbortSignal) => api.get(settingsPaths.storage, storageSchema, { signal }),

  deleteAccount: (isImmediate: boolean) =>
    api.post(settingsPaths.accountDeletion, { isImmediate }, deletionAnswerSchema),
};
