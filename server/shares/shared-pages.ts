import type { AttachedFile } from "#contract/files/files.ts";
import type { SharedPageAnswer } from "#contract/shares/shared-page.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { Database } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import type { Files } from "../files/files.ts";
import type { InstallationSettings } from "../installation/installation-settings.ts";
import type { ShareKeys } from "./share-keys.ts";
import { isOpenTo, type ShareReader } from "./share-rules.ts";
import {
  findShareByToken,
  findShareFile,
  findSharesById,
  type OwnedShare,
  readNow,
  readSharePage,
} from "./share-store.ts";

export type SharedPagesDeps = {
  database: Database;
  clock: Clock;
  files: Pick<Files, "open">;
  installation: InstallationSettings;
  keys: ShareKeys;
};

/** A file of a link, and its bytes. */
export type SharedFile = { file: AttachedFile; bytes: AsyncIterable<Uint8Array> };

/**
 * Snapshots of chats as readers of their links get them. Each answer is decided by the database alone, so that a revoked
 * link is closed at once on every process.
 */
export class SharedPages {
  readonly #deps: SharedPagesDeps;

  constructor(deps: SharedPagesDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the link of a token that the reader can open.
   * @throws Failure `not-found`, whether there is none, it has ended, or it is for others
   */
  async open(token: string, reader: ShareReader): Promise<OwnedShare> {
    const { database, clock, installation, keys } = this.#deps;
    const share = await findShareByToken(database, keys.hashOf(token));
    const sharing = await installation.readSharing(database);
    const now = await readNow(database, clock);
    if (!share || !isOpenTo(share, { reader, sharing, now })) throw new Failure("not-found");
    return share;
  }

  /** Returns the title of a link that anyone can open; null for all others, and while the database does not answer. */
  async previewOf(token: string): Promise<{ title: string } | null> {
    const share = await this.open(token, null).catch(() => null);
    return share && { title: share.title };
  }

  /** Returns JSON of the contract's `SharedPageAnswer`. @throws Failure `not-found` */
  async pageOf({ id }: Pick<OwnedShare, "id">): Promise<string> {
    const { database, installation } = this.#deps;
    const page = await readSharePage(database, id);
    if (page === undefined) throw new Failure("not-found");
    const { product }: Pick<SharedPageAnswer, "product"> = { product: installation.current.productName };
    return `{"product":${JSON.stringify(product)},"page":${page}}`;
  }

  /** Returns a file of a link. @throws Failure `not-found` */
  async fileOf({ id }: Pick<OwnedShare, "id">, position: string): Promise<SharedFile> {
    const named = /^\d{1,9}$/.test(position)
      ? await findShareFile(this.#deps.database, id, Number(position))
      : undefined;
    if (!named) throw new Failure("not-found");
    return this.#deps.files.open(named.user_id, named.file_id);
  }

  /** Returns which of these responses may continue: their links are open to their readers now. */
  async findOpen(responses: readonly { shareId: string; reader: ShareReader }[]): Promise<boolean[]> {
    const { database, clock, installation } = this.#deps;
    const shares = await findSharesById(database, [...new Set(responses.map(({ shareId }) => shareId))]);
    const byId = new Map(shares.map((share) => [share.id, share]));
    const sharing = await installation.readSharing(database);
    const now = await readNow(database, clock);
    return responses.map(({ shareId, reader }) => {
      const share = byId.get(shareId);
      return share !== undefined && isOpenTo(share, { reader, sharing, now });
    });
  }
}
