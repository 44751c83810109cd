import type { InstallationValues } from "#contract/administration/installation.ts";
import type { SiteNotice } from "#contract/administration/site-notice.ts";
import { SECOND } from "#contract/limits.ts";
import { type Bus, topics } from "../bus/bus.ts";
import type { Config } from "../config/config.ts";
import type { Database, Queryable, SettingRow } from "../database/schema.ts";
import type { Log } from "../log.ts";
import { byName, effectiveValues, type RegistrationValues } from "./effective-values.ts";
import { listSettings, listSettingsNamed } from "./setting-store.ts";
import { readNotice } from "./site-notice.ts";

const POLL_MS = 2 * SECOND;
/** Every such poll reads although notifications arrive, because they may be lost. */
const FALLBACK_POLL_EVERY = 15;

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
  readonly #unsubscribe: () => void;
  readonly #timer: NodeJS.Timeout;
  #current: InstallationValues;
  #notice: SiteNotice | null = null;
  #reloading: Promise<void> = Promise.resolve();
  #isStale = false;
  #polls = 0;

  private constructor(deps: InstallationSettingsDeps) {
    this.#deps = deps;
    this.#current = effectiveValues(deps.config.fixedSettings);
    this.#unsubscribe = deps.bus.subscribe(topics.settings, () => void this.reload());
    this.#timer = setInterval(() => this.#poll(), POLL_MS).unref();
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

  /** Makes a committed change take effect: here when this settles, on other processes within seconds. */
  async publish(): Promise<void> {
    this.#deps.bus.publish(topics.settings);
    await this.#reloading;
  }

  /** Reads the settings again. Keeps the last values, and tries again later, if the database does not answer. */
  reload(): Promise<void> {
    this.#reloading = this.#reloading.then(() => this.#reload());
    return this.#reloading;
  }

  async #reload(): Promise<void> {
    try {
      this.#take(await listSettings(this.#deps.database));
      this.#isStale = false;
    } catch (error) {
      this.#isStale = true;
      this.#deps.log.debug({ err: error }, "settings could not be read yet");
    }
  }

  #take(rows: SettingRow[]): void {
    const stored = byName(rows);
    this.#current = effectiveValues(this.#deps.config.fixedSettings, stored);
    this.#notice = readNotice(stored);
  }

  #poll(): void {
    this.#polls += 1;
    const { isShared, bus } = this.#deps;
    const isNotified = !isShared || (bus.hearsAll && this.#polls % FALLBACK_POLL_EVERY !== 0);
    if (this.#isStale || !isNotified) void this.reload();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    clearInterval(this.#timer);
    await this.#reloading;
  }
}
