import type { AttachedFile } from "#contract/files/files.ts";
import type { SharedPageAnswer } from "#contract/shares/shared-page.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { Database } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import type { Files } from "../files/files.ts";
import type { InstallationSettings } from "../installation/installation-settings.ts";
import type { LimitedClient, Limits } from "../limits/limits.ts";
import type { ShareKeys } from "./share-keys.ts";
import { isOpenTo, type ShareReader } from "./share-rules.ts";
import {
  findShareByToken,
  findSharedPage,
  findShareFile,
  findSharesById,
  type OpenableShare,
  readSharePage,
} from "./share-store.ts";

export type SharedPagesDeps = {
  database: Database;
  clock: Clock;
  files: Pick<Files, "open">;
  installation: InstallationSettings;
  keys: ShareKeys;
  limits: Limits;
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
  async open(token: string, reader: ShareReader): Promise<OpenableShare> {
    const { database, clock, keys } = this.#deps;
    return this.#requireOpen(await findShareByToken(database, clock, keys.hashOf(token)), reader);
  }

  /**
   * Returns the link of a token that the reader can open, and JSON of the contract's `SharedPageAnswer`.
   * @throws Failure `not-found`, as {@link open} does
   */
  async read(token: string, reader: ShareReader): Promise<{ share: OpenableShare; answer: string }> {
    const { database, clock, keys } = this.#deps;
    const share = this.#requireOpen(await findSharedPage(database, clock, keys.hashOf(token)), reader);
    return { share, answer: this.#answerOf(share.page) };
  }

  /** Returns the answer that readers of a draft would get, for its preview. @throws Failure `not-found` */
  async preview({ id }: Pick<OpenableShare, "id">): Promise<string> {
    const page = await readSharePage(this.#deps.database, id);
    if (page === undefined) throw new Failure("not-found");
    return this.#answerOf(page);
  }

  #answerOf(page: string): string {
    const { product }: Pick<SharedPageAnswer, "product"> = { product: this.#deps.installation.current.productName };
    return `{"product":${JSON.stringify(product)},"page":${page}}`;
  }

  /** @throws Failure `not-found` */
  #requireOpen<S extends OpenableShare>(share: S | undefined, reader: ShareReader): S {
    if (!share || !this.#isOpenTo(share, reader)) throw new Failure("not-found");
    return share;
  }

  #isOpenTo(share: OpenableShare, reader: ShareReader): boolean {
    const { share_links: shareLinks, share_days_max: shareDaysMax } = share;
    return isOpenTo(share, { reader, sharing: this.#deps.installation.sharingBy({ shareLinks, shareDaysMax }) });
  }

  /**
   * Returns the title of a link that anyone can open; null for all others, for a network that reads too many, and while the
   * database does not answer.
   */
  async previewOf(token: string, client: LimitedClient): Promise<{ title: string } | null> {
    try {
      await this.#deps.limits.takeOfNetwork("share-preview", client);
      const { title } = await this.open(token, null);
      return { title };
    } catch {
      return null;
    }
  }

  /**
   * Returns a file of a link.
   * @param snapshot `createdAt` of the page that names the file; undefined: the current one
   * @throws Failure `not-found`, also if the link has another snapshot now, whose files have other numbers
   */
  async fileOf({ id, created_at }: OpenableShare, position: string, snapshot?: string): Promise<SharedFile> {
    const isCurrent = snapshot === undefined || snapshot === String(created_at);
    const named =
      isCurrent && /^\d{1,9}$/.test(position)
        ? await findShareFile(this.#deps.database, id, Number(position))
        : undefined;
    if (!named) throw new Failure("not-found");
    return this.#deps.files.open(named.user_id, named.file_id);
  }

  /** Returns which of these responses may continue: their links are open to their readers now. */
  async findOpen(responses: readonly { shareId: string; reader: ShareReader }[]): Promise<boolean[]> {
    const { database, clock } = this.#deps;
    const ids = new Set(responses.map(({ shareId }) => shareId));
    const shares = await findSharesById(database, clock, [...ids]);
    const byId = new Map(shares.map((share) => [share.id, share]));
    return responses.map(({ shareId, reader }) => {
      const share = byId.get(shareId);
      return share !== undefined && this.#isOpenTo(share, reader);
    });
  }
}
