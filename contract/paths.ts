/** Every path of the API, relative to {@link API_BASE}. Ids are taken as they are: the server makes them URL-safe. */

export const API_BASE = "/api";

export const paths = {
  authConfig: "/auth/config",
  login: "/auth/login",
  logout: "/auth/logout",
  me: "/auth/me",
  google: "/auth/google",
  register: "/auth/users/register",
  verify: "/auth/users/verify",
  resendVerification: "/auth/users/resend-verification",
  forgotPassword: "/auth/forgot-password",
  resetPassword: "/auth/reset-password",
  account: "/auth/account",
  accountDeletion: "/auth/account/deletion",
  proof: "/auth/proof",
  username: "/auth/username",
  password: "/auth/password",
  email: "/auth/email",
  confirmEmail: "/auth/email/confirm",
  undoEmail: "/auth/email/undo",
  googleConnection: "/auth/google/connection",
  sessions: "/auth/sessions",
  session: (id: string) => `/auth/sessions/${id}`,
  securityLog: "/auth/security-log",
  models: "/models",
  instructions: "/instructions",
  presets: "/presets",
  preset: (id: string) => `/presets/${id}`,
  presetRestoration: (id: string) => `/presets/${id}/restore`,
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
  usage: "/usage",
  chatExport: (id: string) => `/chat/${id}/export`,
  export: "/export",
  import: "/import",
  temporaryReply: "/temporary/reply",
} as const;

/** Header that names one intended send (or one intended chat), however often it is asked for. */
export const IDEMPOTENCY_KEY_HEADER = "idempotency-key";
export const ANTI_FORGERY_HEADER = "x-xsrf-token";
export const ANTI_FORGERY_COOKIE = "XSRF-TOKEN";
