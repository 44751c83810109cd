import type { KnownPart } from "#contract/conversation/known-parts.ts";
import type { AttachedFile } from "#contract/files/files.ts";
import { currentAuthConfig } from "../../accounts/auth-config.ts";
import { api } from "../../api/client.ts";
import { tabTools } from "../../api/events/tab-tools.ts";
import { type DraftedFile, DraftFiles } from "../../files/draft-files.ts";
import { filesDatabase } from "../../files/files-database.ts";
import { canvasCodec } from "../../files/prepare/canvas-codec.ts";
import { preparePicture } from "../../files/prepare/prepare-picture.ts";
import { pictures } from "../../files/shown/pictures.ts";
import { AccountFiles, type AccountFilesDeps } from "../../files/upload/account-files.ts";
import type { FileHolder } from "../../files/upload/file-holder.ts";
import { MemoryFiles } from "../../files/upload/memory-files.ts";
import { StoredFiles } from "../../files/upload/stored-files.ts";
import { xhrTransport } from "../../files/upload/upload-transport.ts";
import { i18n } from "../../locales/i18n.ts";
import type { SendOutcome } from "../../reply/replies.ts";
import { IndexedRecords } from "../../storage/indexed-records.ts";
import { MemoryRecords } from "../../storage/record-store.ts";
import { notify } from "../../ui/notifications/notify.ts";
import type { ChatSession, SessionKey } from "../chat-session.ts";
import { Draft } from "../draft.ts";
import { moveBetween } from "./moved-files.ts";

export { uploadLocalFiles } from "./moved-files.ts";

type DraftKey = string | null;
type Outcome = Pick<SendOutcome, "isTaken" | "code" | "file">;

const FILE: KnownPart["kind"] = "file";
const limits = () => currentAuthConfig().files;

/** The files of all drafts of a session. */
export class SessionFiles implements Disposable {
  readonly #drafts: ChatSession["drafts"];
  readonly #uploads: FileHolder;
  readonly #refusal: ChatSession["filesRefusal"];
  readonly #views = new Map<DraftKey, DraftFiles>();

  constructor({ drafts, filesRefusal }: ChatSession, uploads: FileHolder) {
    this.#drafts = drafts;
    this.#uploads = uploads;
    this.#refusal = filesRefusal;
  }

  /** Returns the files of the draft with this key (null: of the chat that is not created yet). */
  at(draftKey: DraftKey): DraftFiles {
    const known = this.#views.get(draftKey);
    if (known) return known;
    const drafts = this.#drafts;
    const draft = {
      get: () => drafts.get(draftKey).files,
      set: (files: readonly DraftedFile[]) => drafts.set(draftKey, drafts.get(draftKey).withFiles(files)),
      subscribe: drafts.subscribe,
    };
    const addText = (words: string) => drafts.set(draftKey, drafts.get(draftKey).join(new Draft(words)));
    const view = new DraftFiles({ draft, uploads: this.#uploads, addText, limits });
    this.#views.set(draftKey, view);
    return view;
  }

  /** Whether files can be sent; a notification says why they cannot. */
  #fits(files: readonly AttachedFile[]): boolean {
    const refusal = this.#refusal?.(files) ?? null;
    if (refusal !== null) notify("error", i18n.t(`errors:${refusal}`));
    return refusal === null;
  }

  /** Takes up the files of a question that is edited, which are uploaded. */
  know(files: readonly AttachedFile[]): void {
    this.#uploads.know(files);
  }

  /**
   * Resolves once the files of a draft are uploaded, or in memory, and stores in the draft what is known of them.
   * Resolves with false if one has failed, or if they are too large for a temporary chat; rejects with the signal's
   * reason.
   */
  async upload(draftKey: DraftKey, signal: AbortSignal): Promise<boolean> {
    const files = this.at(draftKey);
    if ((await files.settled(signal)) === null) return false;
    const draft = this.#drafts.get(draftKey).withFiles(files.ready());
    this.#drafts.set(draftKey, draft);
    return this.#fits(draft.files);
  }

  /** Shows the pictures of a message that is being sent from their bytes here, also once the draft is gone. */
  show(files: readonly AttachedFile[]): void {
    for (const { id } of files) {
      const picture = this.#uploads.pictureOf(id);
      if (picture) pictures.add(id, picture);
    }
  }

  /** Applies the outcome of a send: forgets accepted files, finds those that the server no longer has or refuses. */
  settle(files: readonly AttachedFile[], { isTaken, code, file }: Outcome): void {
    const ids = files.map(({ id }) => id);
    if (isTaken) this.#uploads.sent(ids);
    else if (code === "file-gone") this.#uploads.recheck(ids);
    else if (code !== undefined && file !== undefined) this.#uploads.refuse(file, code);
  }

  /** Returns the bytes of a file of a draft that this browser has. */
  bytesOf(id: string): Promise<Blob | null> {
    return this.#uploads.bytesOf(id);
  }

  /** Frees the files of a temporary chat that was saved. */
  forgetUnused(): void {
    this.#uploads.forgetUnused();
  }

  [Symbol.dispose](): void {
    this.#uploads[Symbol.dispose]();
    for (const view of this.#views.values()) view[Symbol.dispose]();
  }
}

const prepareInCanvas: AccountFilesDeps["prepare"] = (file) => preparePicture(file, canvasCodec, limits()?.maxBytes);

/** Opens the files of stored chats, which are uploaded. */
function openAccountFiles({ account, drafts }: ChatSession): AccountFiles {
  return new AccountFiles({
    ...{ account, api, limits, stored: openStored(account), locks: tabTools()?.locks ?? null },
    ...{ prepare: prepareInCanvas, transport: xhrTransport, isReferenced: (id: string) => drafts.holdsFile(id) },
  });
}

function openStored(account: string): StoredFiles {
  const isMissing = typeof indexedDB === "undefined";
  return new StoredFiles(isMissing ? new MemoryRecords() : new IndexedRecords(filesDatabase(account)));
}

/** Opens the files of the temporary chat, which stay in memory. */
function openMemoryFiles({ drafts, store }: ChatSession): MemoryFiles {
  const isNamed = (id: string) =>
    Object.values(store.getState().chats.conversations).some(({ messages }) =>
      messages.some(({ parts = [] }) => parts.some((part) => part.kind === FILE && part.id === id)),
    );
  return new MemoryFiles({
    ...{ prepare: prepareInCanvas, measure: measureInCanvas, limits },
    isReferenced: (id) => drafts.holdsFile(id) || isNamed(id),
    subscribeReferences: (listener) => {
      const ends = [drafts.subscribe(listener), store.subscribe(listener)];
      return () => {
        for (const end of ends) end();
      };
    },
    onForget: (id) => pictures.forget(id),
  });
}

async function measureInCanvas(picture: Blob) {
  const decoded = await canvasCodec.decode(picture).catch(() => null);
  if (!decoded) return null;
  const { width, height } = decoded;
  decoded.close();
  return { width, height };
}

const sessionFiles: SessionKey<SessionFiles> = {
  create: (session) =>
    new SessionFiles(session, session.storedSession ? openMemoryFiles(session) : openAccountFiles(session)),
  dispose: (files) => files[Symbol.dispose](),
};

export const filesOfSession = (session: Pick<ChatSession, "get">): SessionFiles => session.get(sessionFiles);

type Moved = { from: ChatSession; draftKey: DraftKey; files: readonly DraftedFile[] };

/** Moves files of a draft to a draft of another session. */
export function moveFiles(
  { from, ...moved }: Moved,
  { to, draftKey }: { to: ChatSession; draftKey: DraftKey },
): Promise<void> {
  return moveBetween(filesOfSession(from), moved, filesOfSession(to), draftKey);
}
