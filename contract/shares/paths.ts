/** Paths of links to chats. Those of the API are relative to `API_BASE`. */

export const sharePaths = {
  shares: "/shares",
  share: (id: string) => `/shares/${id}`,
  publication: (id: string) => `/shares/${id}/publication`,
  page: (id: string) => `/shares/${id}/page`,
  file: (id: string, position: number | string) => `/shares/${id}/files/${position}`,
  drafts: (chatId: string) => `/chat/${chatId}/shares`,
  /** For every reader of a link. `token`: the end of its address. `snapshot`: `createdAt` of the page that names the file. */
  sharedPage: (token: string) => `/shared/${token}`,
  sharedFile: (token: string, position: number | string, snapshot?: number) =>
    `/shared/${token}/files/${position}${snapshot === undefined ? "" : `?snapshot=${snapshot}`}`,
  sharedCopy: (token: string) => `/shared/${token}/copy`,
} as const;

/** Beginning of the path of a link, which its token follows. Not of the API. */
export const SHARE_LINK_PATH = "/s/";
