import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { DAY } from "#contract/limits.ts";
import type { MailRow } from "../database/schema.ts";

const SUFFIX = ".eml";
/** Batch size of account ids, because both databases limit the parameters of a query. */
const OWNERS_AT_ONCE = 500;

/** Retention of a mail file, in ms. The file contains personal data, and its link has expired by then. */
export const MAIL_FILE_LIFE_MS = 30 * DAY;

/** Mails as files of the data folder, written if no mail server is configured. Their names contain the account's id. */
export class MailFiles {
  readonly folder: string;

  constructor(dataDir: string) {
    this.folder = join(dataDir, "mails");
  }

  pathOf({ id, user_id: userId }: Pick<MailRow, "id" | "user_id">): string {
    return join(this.folder, `${userId === null ? id : `${id}_${userId}`}${SUFFIX}`);
  }

  /** Counts the mails of an account. */
  async count(userId: string): Promise<number> {
    return (await this.#list()).filter((file) => ownerOf(file) === userId).length;
  }

  async remove(userId: string): Promise<void> {
    await this.#removeWhere((owner) => owner === userId);
  }

  /**
   * Removes the mails of accounts that no longer exist: another server may have deleted them.
   * @param findLiving returns those ids of a batch (at most 500) whose accounts exist
   */
  async removeOthers(findLiving: (userIds: string[]) => Promise<string[]>): Promise<void> {
    const owners = new Set((await this.#list()).map(ownerOf).filter((owner) => owner !== null));
    const all = [...owners];
    for (let at = 0; at < all.length; at += OWNERS_AT_ONCE) {
      for (const living of await findLiving(all.slice(at, at + OWNERS_AT_ONCE))) owners.delete(living);
    }
    await this.#removeWhere((owner) => owners.has(owner));
  }

  /** Removes the mails of all accounts that were written before `time` (Unix time in ms). */
  async removeBefore(time: number): Promise<void> {
    for (const file of (await this.#list()).filter((name) => name.endsWith(SUFFIX))) {
      const path = join(this.folder, file);
      // Another process may have removed the file already.
      const found = await stat(path).catch(() => null);
      if (found && found.mtimeMs < time) await rm(path, { force: true });
    }
  }

  async #removeWhere(isMeant: (owner: string) => boolean): Promise<void> {
    for (const file of await this.#list()) {
      const owner = ownerOf(file);
      if (owner !== null && isMeant(owner)) await rm(join(this.folder, file), { force: true });
    }
  }

  async #list(): Promise<string[]> {
    return readdir(this.folder).catch(() => []);
  }
}

/** Returns the account id in the name of a mail file; `null` if the mail belongs to no account. */
function ownerOf(file: string): string | null {
  return file.endsWith(SUFFIX) ? (file.slice(0, -SUFFIX.length).split("_")[1] ?? null) : null;
}
