/** Paths of the settings of an account, apart from those in `paths.ts`, which every page loads. Relative to `API_BASE`. */

export const settingsPaths = {
  account: "/auth/account",
  accountDeletion: "/auth/account/deletion",
  proof: "/auth/proof",
  username: "/auth/username",
  password: "/auth/password",
  email: "/auth/email",
  googleConnection: "/auth/google/connection",
  sessions: "/auth/sessions",
  session: (id: string) => `/auth/sessions/${id}`,
  securityLog: "/auth/security-log",
  usage: "/usage",
  storage: "/storage",
} as const;
