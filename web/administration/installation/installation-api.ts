/** API calls of the installation's settings. All throw ApiError; calls that change anything need `withProof`. */

import { type ChangeSettings, installationSettingsSchema } from "#contract/administration/installation.ts";
import type { NewSiteNotice } from "#contract/administration/new-site-notice.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { type ChangeSetup, SETUP_PATH, setupSchema, testMailSchema } from "#contract/administration/setup.ts";
import { SITE_NOTICE_PATH, siteNoticeAnswerSchema } from "#contract/administration/site-notice.ts";
import { api } from "../../api/client.ts";

export const installationApi = {
  readSettings: (signal: AbortSignal) => api.get(administrationPaths.settings, installationSettingsSchema, { signal }),
  changeSettings: (changes: ChangeSettings) =>
    api.patch(administrationPaths.settings, changes, installationSettingsSchema),
  readNotice: () => api.get(SITE_NOTICE_PATH, siteNoticeAnswerSchema),
  showNotice: (notice: NewSiteNotice) => api.put(administrationPaths.changedNotice, notice, null),
  removeNotice: () => api.delete(administrationPaths.changedNotice),
  changeSetup: (change: ChangeSetup) => api.patch(SETUP_PATH, change, setupSchema),
  sendTestMail: () => api.post(administrationPaths.testMail, undefined, testMailSchema),
};
