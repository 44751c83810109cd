/** API calls of the installation's settings. All throw ApiError; calls that change anything need `withProof`. */

import { type ChangeSettings, installationSettingsSchema } from "#contract/installation.ts";
import { installationPaths } from "#contract/installation-paths.ts";
import { type ChangeSetup, setupSchema, testMailSchema } from "#contract/setup.ts";
import type { NewSiteNotice } from "#contract/site-notice.ts";
import { api } from "../../api/client.ts";

export const installationApi = {
  readSettings: (signal: AbortSignal) => api.get(installationPaths.settings, installationSettingsSchema, { signal }),
  changeSettings: (changes: ChangeSettings) =>
    api.patch(installationPaths.settings, changes, installationSettingsSchema),
  showNotice: (notice: NewSiteNotice) => api.put(installationPaths.changedNotice, notice, null),
  removeNotice: () => api.delete(installationPaths.changedNotice),
  readSetup: (signal: AbortSignal) => api.get(installationPaths.setup, setupSchema, { signal }),
  changeSetup: (change: ChangeSetup) => api.patch(installationPaths.setup, change, setupSchema),
  sendTestMail: () => api.post(installationPaths.testMail, undefined, testMailSchema),
};
