import type { ChangeSettings, InstallationSettingsAnswer } from "#contract/administration/installation.ts";
import { installationSettingsSchema } from "#contract/administration/installation.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import type { TestApp } from "../app/start-test-app.ts";
import type { TestAccount } from "./sign-up.ts";

/** Changes settings of the installation as an owner. @throws Error if the server refuses */
export async function changeSettingsOf(app: TestApp, { token }: TestAccount, body: ChangeSettings): Promise<void> {
  const response = await app.call("PATCH", administrationPaths.settings, { token, body });
  if (response.status !== 200) throw new Error(`Settings answered ${response.status} ${await response.text()}`);
}

/** Returns the settings as an administrator sees them. */
export async function settingsOf(app: TestApp, { token }: TestAccount): Promise<InstallationSettingsAnswer> {
  return installationSettingsSchema.parse(
    await (await app.call("GET", administrationPaths.settings, { token })).json(),
  );
}
