import { type FileBytes, readPieces } from "#contract/transfer/archive/file-bytes.ts";
import { isFileRefusal, type NamedFile } from "#contract/transfer/import/archive-uploads.ts";
import type { ImportTarget } from "#contract/transfer/import/import-source.ts";
import type { ImportResult } from "#contract/transfer/transfer.ts";
import { commandLine } from "../../accounts/administration/administrator.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { HeavyReads } from "../../concurrency/heavy-reads.ts";
import { freeSpaceOf } from "../../config/disk-space.ts";
import { Failure } from "../../failure.ts";
import { AttachmentReader } from "../../files/attachment-reader.ts";
import { DocumentReader } from "../../files/documents/read-document.ts";
import { Files } from "../../files/files.ts";
import { refuseOtherStore } from "../../files/refuse-other-store.ts";
import { openStores, type StoresSettings } from "../../files/stores/open-stores.ts";
import { Uploads } from "../../files/uploads.ts";
import { type ImportDeps, importDocument } from "../../transfer/import/import-document.ts";
import type { CommandDeps } from "../open-installation.ts";

export type AccountTargetDeps = CommandDeps & { stores: StoresSettings; heavyReads: HeavyReads };

type Target = ImportTarget<FileBytes>;
type Given = { userId: string; signal: AbortSignal };

/** Documents that an operator imports do not count against the time of the account's uploads. */
const noLimits = { check: async () => undefined, add: async () => undefined };

/** Nothing else waits in the process of a command. */
const flowFor = (userId: string) => ({ network: "command", account: userId });

/** A body that waits for no network. */
const localBody = { bytesRead: 0, isComplete: false, close: () => undefined };

/**
 * Stores chats and files in an account, by the rules of the routes for imports and uploads. The first batch that imports a
 * chat is recorded in the audit log.
 */
export async function openAccountTarget(
  opened: AsyncDisposableStack,
  deps: AccountTargetDeps,
  { userId, signal }: Given,
): Promise<Target> {
  const { database, clock, config, log } = deps;
  const floor = { freeSpace: freeSpaceOf(config.dataDir), config };
  const stores = opened.use(await openStores({ database, ...deps.stores }));
  await refuseOtherStore({ database, log, ...stores });
  const reader = opened.use(new AttachmentReader({ documents: opened.use(new DocumentReader()), limits: noLimits }));
  const files = new Files({ database, log, ...stores });
  const uploads = new Uploads({ database, clock, ...stores, reader, floor, settings: config });
  const { step } = deps.heavyReads.of(flowFor(userId));
  const importing = { ...deps, ...floor, step, isDraining: () => false, isStopped: () => signal.aborted };
  return {
    send: sender(deps, importing, { userId, signal }),
    // An import in this process ends with its error.
    mayComplete: () => false,
    remove: (id) => files.remove(userId, id),
    upload: async (file, onSent) => {
      signal.throwIfAborted();
      try {
        await storeFile(uploads, userId, file, onSent);
        return null;
      } catch (error) {
        if (error instanceof Failure && isFileRefusal(error.code)) return error.code;
        throw error;
      }
    },
  };
}

function sender(deps: CommandDeps, importing: ImportDeps, { userId, signal }: Given): Target["send"] {
  const { database, clock, securityLog } = deps;
  let isRecorded = false;
  return async (body): Promise<ImportResult> => {
    signal.throwIfAborted();
    const document: unknown = JSON.parse(body);
    const result = await importDocument(importing, userId, document, (db) =>
      securityLog.record(db, "instructions-changed", userId, commandLine.client),
    );
    if (result.imported > 0 && !isRecorded) {
      const entry = { kind: "chats-imported", at: clock.now(), actor: commandLine.actor, subject: userId } as const;
      await database.transaction().execute((db) => recordAudit(db, entry));
      isRecorded = true;
    }
    return result;
  };
}

/** Stores a file under its id. Resumes an incomplete upload. @throws as `Uploads.receive` */
async function storeFile(
  uploads: Uploads,
  userId: string,
  { id, name, bytes }: NamedFile & { bytes: FileBytes },
  onSent: (bytes: number) => void,
): Promise<void> {
  const total = bytes.size;
  const stored = await storedBytesOf(uploads, userId, id);
  const isWhole = stored > 0 && stored >= total;
  await uploads.receive({
    userId,
    sessionId: null,
    id,
    name,
    total,
    at: isWhole ? null : stored,
    length: isWhole ? 0 : total - stored,
    bytes: piecesFrom(bytes, stored, onSent),
    flow: flowFor(userId),
    body: localBody,
  });
}

async function storedBytesOf(uploads: Uploads, userId: string, id: string): Promise<number> {
  try {
    return (await uploads.progressOf(userId, id)).stored;
  } catch (error) {
    if (error instanceof Failure && error.code === "not-found") return 0;
    throw error;
  }
}

async function* piecesFrom(
  bytes: FileBytes,
  from: number,
  onSent: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let sent = from;
  for await (const piece of readPieces(bytes.slice(from, bytes.size))) {
    yield piece;
    sent += piece.length;
    onSent(sent);
  }
}
