/** API calls of links to chats. All throw ApiError. */

import { sharePaths } from "#contract/shares/paths.ts";
import type { SharedPageAnswer } from "#contract/shares/shared-page.ts";
import {
  type Publication,
  revocationSchema,
  type ShareOptions,
  shareDraftSchema,
  shareListSchema,
  shareSchema,
} from "#contract/shares/shares.ts";
import { ApiError, api, type OpenInit, readApiError } from "../api/client.ts";
import { isPageAnswer } from "../shared-page/page/is-page-answer.ts";

const encode = encodeURIComponent;

/** Opens a path. @throws ApiError for a status other than 2xx */
async function open(path: string, init?: OpenInit): Promise<Response> {
  const response = await api.open(path, init);
  if (!response.ok) throw await readApiError(response);
  return response;
}

/** Reads the page of a link or a draft, as its readers see it. */
async function readPage(id: string, signal: AbortSignal): Promise<SharedPageAnswer> {
  const response = await open(sharePaths.page(encode(id)), { signal });
  const answer: unknown = await response.json().catch(() => undefined);
  if (isPageAnswer(answer)) return answer;
  throw new ApiError(response.status, "Unexpected answer", { code: "unexpected-answer" });
}

export const sharesApi = {
  list: (signal: AbortSignal) => api.get(sharePaths.shares, shareListSchema, { signal }),
  /** Renders a snapshot of a chat, which replaces the account's former draft. */
  render: (chatId: string, options: ShareOptions, signal: AbortSignal) =>
    api.post(sharePaths.drafts(encode(chatId)), options, shareDraftSchema, { signal }),
  readPage,
  /** Reads the bytes of a file of a link or a draft. */
  readFile: async (id: string, position: number) =>
    (await open(sharePaths.file(encode(id), position), { headers: { accept: "*/*" } })).blob(),
  publish: (draftId: string, publication: Publication) =>
    api.post(sharePaths.publication(encode(draftId)), publication, shareSchema),
  revoke: (id: string) => api.delete(sharePaths.share(encode(id))),
  /** Revokes all links of the account. @returns how many there were */
  revokeAll: async () =>
    revocationSchema.parse(await (await open(sharePaths.shares, { method: "DELETE" })).json()).revoked,
};
