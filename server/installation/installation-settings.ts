import type { InstallationValues } from "#contract/administration/installation.ts";
import type { SiteNotice } from "#contract/administration/site-notice.ts";
import { type Bus, topics } from "../bus/bus.ts";
import { Reloading } from "../bus/reloading.ts";
import type { Config } from "../config/config.ts";
import type { Database, Queryable, SettingRow } from "../database/schema.ts";
import type { Log } from "../log.ts";
import { byName, effectiveValues, type RegistrationValues, type SharingValues } from "./effective-values.ts";
import { listSettings, listSettingsNamed } from "./setting-store.ts";
import { readNotice } from "./site-notice.ts";

export type InstallationSettingsDeps = {
  config: Pick<Config, "fixedSettings">;
  database: Database;
  bus: Bus;
  log: Log;
  /** Whether other processes may write to the database. */
  isShared: boolean;
};

/**
 * The settings of the installation as a snapshot in memory, so that a request needs no query for them. Every process
 * reads them again after a notification; without Redis it polls.
 */
export class InstallationSettings implements AsyncDisposable {
  readonly #deps: InstallationSettingsDeps;
  readonly #reloading: Reloading;
  #current: InstallationValues;
  #notice: SiteNotice | null = null;

  private constructor(deps: InstallationSettingsDeps) {
    this.#deps = deps;
    this.#current = effectiveValues(deps.config.fixedSettings);
    this.#reloading = new Reloading(deps, {
      topic: topics.settings,
      read: async () => this.#take(await listSettings(deps.database)),
      failure: "settings could not be read yet",
    });
  }

  /** Reads the settings. @throws if the database does not answer */
  static async open(deps: InstallationSettingsDeps): Promise<InstallationSettings> {
    const settings = new InstallationSettings(deps);
    settings.#take(await listSettings(deps.database));
    return settings;
  }

  /** The values that apply, at most a few seconds old. */
  get current(): InstallationValues {
    return this.#current;
  }

  /** The notice to everybody, which may have ended. */
  get notice(): SiteNotice | null {
    return this.#notice;
  }

  /**
   * Reads who may register. Must be called in the transaction that creates an account: a registration that one process
   * has closed is closed on all.
   */
  async readRegistration(db: Queryable): Promise<RegistrationValues> {
    const rows = await listSettingsNamed(db, ["registration", "registrationDomains"]);
    return effectiveValues(this.#deps.config.fixedSettings, byName(rows));
  }

  /** Reads who may open links to chats. Read for each request for one, so that a change has no delay on any process. */
  async readSharing(db: Queryable): Promise<SharingValues> {
    const rows = await listSettingsNamed(db, ["shareLinks", "shareDaysMax"]);
    return effectiveValues(this.#deps.config.fixedSettings, byName(rows));
  }

  /** Returns who may open links to chats, by stored values of the settings: JSON, or null for one that is not stored. */
  sharingBy(stored: Readonly<Record<keyof SharingValues, string | null>>): SharingValues {
    const rows = Object.entries(stored).flatMap(([name, value]) =>
      value === null ? [] : [{ name, value, changed_at: 0 }],
    );
    return effectiveValues(this.#deps.config.fixedSettings, byName(rows));
  }

  /** Makes a committed change take effect: here when this settles, on other processes within seconds. */
  publish(): Promise<void> {
    return this.#reloading.publish();
  }

  /** Reads the settings again. Keeps the last values, and tries again later, if the database does not answer. */
  reload(): Promise<void> {
    return this.#reloading.reload();
  }

  #take(rows: SettingRow[]): void {
    const stored = byName(rows);
    this.#current = effectiveValues(this.#deps.config.fixedSettings, stored);
    this.#notice = readNotice(stored);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#reloading[Symbol.asyncDispose]();
  }
}
