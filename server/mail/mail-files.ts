import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { DAY } from "#contract/limits.ts";
import type { MailRow } from "../database/schema.ts";

const SUFFIX = ".eml";
/** Neither database takes any number of them in one query. */
const OWNERS_AT_ONCE = 500;

/** How long a mail is kept as a file, in ms: it names people, and its link has lapsed. */
export const MAIL_FILE_LIFE_MS = 30 * DAY;

/** Mails that were written into the data folder, where no mail server is configured. Their names say whose they are. */
export class MailFiles {
  readonly folder: string;

  constructor(dataDir: string) {
    this.folder = join(dataDir, "mails");
  }

  pathOf({ id, user_id: userId }: Pick<MailRow, "id" | "user_id">): string {
    return join(this.folder, `${userId === null ? id : `${id}_${userId}`}${SUFFIX}`);
  }

  /** How many an account has. */
  async count(userId: string): Promise<number> {
    return (await this.#list()).filter((file) => ownerOf(file) === userId).length;
  }

  async remove(userId: string): Promise<void> {
    await this.#removeWhere((owner) => owner === userId);
  }

  /** Removes the mails of all accounts but those that are found: of others that were deleted on another server. */
  async removeOthers(findLiving: (userIds: string[]) => Promise<string[]>): Promise<void> {
    const owners = new Set((await this.#list()).map(ownerOf).filter((owner) => owner !== null));
    const all = [...owners];
    for (let at = 0; at < all.length; at += OWNERS_AT_ONCE) {
      for (const living of await findLiving(all.slice(at, at + OWNERS_AT_ONCE))) owners.delete(living);
    }
    await this.#removeWhere((owner) => owners.has(owner));
  }

  /** Removes the mails that were written before a time (ms since 1970), whoever they were to. */
  async removeBefore(time: number): Promise<void> {
    for (const file of (await this.#list()).filter((name) => name.endsWith(SUFFIX))) {
      const path = join(this.folder, file);
      // Another removal may have been faster.
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

/** Whose mail it is; none of an account's where nobody's. */
function ownerOf(file: string): string | null {
  return file.endsWith(SUFFIX) ? (file.slice(0, -SUFFIX.length).split("_")[1] ?? null) : null;
}
