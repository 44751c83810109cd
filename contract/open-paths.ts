/** Paths of open routes for registration and mailed links, apart from those in `paths.ts`, which every page loads. Relative to `API_BASE`. */

export const openPaths = {
  register: "/auth/users/register",
  verify: "/auth/users/verify",
  mailedKey: "/auth/mailed-key",
  invitation: "/auth/invitation",
  classCode: "/auth/class-code",
  resendVerification: "/auth/users/resend-verification",
  forgotPassword: "/auth/forgot-password",
  resetPassword: "/auth/reset-password",
  confirmEmail: "/auth/email/confirm",
  undoEmail: "/auth/email/undo",
} as const;
