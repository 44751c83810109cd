/** Paths of the installation's settings, apart from `paths`, which every page of the browser loads. */
export const installationPaths = {
  settings: "/admin/settings",
  setup: "/admin/setup",
  testMail: "/admin/test-mail",
  changedNotice: "/admin/notice",
  notice: "/notice",
} as const;
