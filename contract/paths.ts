/** All paths of the API, relative to {@link API_BASE}. Ids in them are used unescaped: server ids are URL-safe. */

export const API_BASE = "/api";

export const paths = {
  authConfig: "/auth/config",
  login: "/auth/login",
  logout: "/auth/logout",
  me: "/auth/me",
  google: "/auth/google",
  preferences: "/auth/preferences",
  models: "/models",
  instructions: "/instructions",
  presets: "/presets",
  preset: (id: string) => `/presets/${id}`,
  presetRestoration: (id: string) => `/presets/${id}/restore`,
  file: (id: string) => `/files/${id}`,
  fileText: (id: string) => `/files/${id}/text`,
  events: "/events",
  search: "/search",
  chatHistory: "/chat-history",
  chats: "/chat",
  chatBatch: "/chat-batch",
  folders: "/folders",
  folder: (id: string) => `/folders/${id}`,
  folderRestore: (id: string) => `/folders/${id}/restore`,
  chat: (id: string) => `/chat/${id}`,
  chatTree: (id: string) => `/chat/${id}/tree`,
  chatBranch: (id: string) => `/chat/${id}/branch`,
  chatMessage: (id: string) => `/chat/${id}/message`,
  chatSend: (id: string) => `/chat/${id}/send`,
  chatReply: (id: string) => `/chat/${id}/reply`,
  chatStop: (id: string) => `/chat/${id}/stop`,
  messageUsage: (id: string, messageId: string) => `/chat/${id}/message/${messageId}/usage`,
  chatExport: (id: string) => `/chat/${id}/export`,
  export: "/export",
  import: "/import",
  temporaryReply: "/temporary/reply",
} as const;

/** Header with an idempotency key: identifies one send or one new chat over all retries. */
export const IDEMPOTENCY_KEY_HEADER = "idempotency-key";
export const ANTI_FORGERY_HEADER = "x-xsrf-token";
export const ANTI_FORGERY_COOKIE = "XSRF-TOKEN";
