import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { type S3Credentials, type S3Location, s3NameOf } from "../../config/files-url.ts";
import type { Proxies } from "../../config/proxies.ts";
import type { Secrets } from "../../config/secrets.ts";
import type { Database } from "../../database/schema.ts";
import { Outbound } from "../../outbound/outbound.ts";
import { ChunkFileStore, ChunkUploadStore } from "./chunk-store.ts";
import type { FileStore, UploadStore } from "./file-store.ts";
import { FILES_FOLDER, FolderFileStore, FolderUploadStore } from "./folder-store.ts";

export type StoresDeps = StoresSettings & { database: Database };

export type StoresSettings = {
  dataDir: string;
  /** Whether several processes may share the database: PostgreSQL. */
  isShared: boolean;
  /** An S3-compatible server for complete files, if there is one. */
  s3?: S3Settings;
};

export type S3Settings = { location: S3Location; credentials: S3Credentials; proxies?: Proxies };

export interface Stores extends AsyncDisposable {
  readonly files: FileStore;
  readonly uploads: UploadStore;
  /** Describes where the files are, for the operator. */
  readonly location: string;
  /** Checks that the store of files answers and accepts its credentials. @throws StoreFailure */
  readonly check: () => Promise<void>;
}

/** Returns the settings of an installation's stores. */
export function storesSettingsOf({ config, secrets }: { config: Config; secrets: Secrets }): StoresSettings {
  const { filesAt: location } = config;
  const { filesAccessKeyId: accessKeyId, filesSecretAccessKey: secretAccessKey } = secrets;
  const hasCredentials = accessKeyId !== undefined && secretAccessKey !== undefined;
  const { proxies } = secrets;
  return {
    dataDir: config.dataDir,
    isShared: secrets.databaseUrl !== undefined,
    ...(location &&
      hasCredentials && {
        s3: { location, credentials: { accessKeyId, secretAccessKey }, ...(proxies && { proxies }) },
      }),
  };
}

/** Opens a store at an S3-compatible server. Its module is loaded only here. */
export async function openS3Files({ proxies, ...access }: S3Settings) {
  const { S3FileStore } = await import("./s3/s3-store.ts");
  return new S3FileStore({ ...access, outbound: new Outbound(proxies) });
}

/**
 * Opens the stores of an installation. Files: at the S3-compatible server if there is one, else as rows where the
 * database is shared, otherwise in the data folder. Incomplete uploads are rows or in the data folder in any case.
 */
export async function openStores({ database, dataDir, isShared, s3 }: StoresDeps): Promise<Stores> {
  const folder = join(dataDir, FILES_FOLDER);
  const uploads = isShared ? new ChunkUploadStore(database) : new FolderUploadStore(folder);
  if (s3) {
    const files = await openS3Files(s3);
    return {
      ...{ files, uploads, location: s3NameOf(s3.location), check: () => files.check() },
      [Symbol.asyncDispose]: () => files[Symbol.asyncDispose](),
    };
  }
  const files = isShared ? new ChunkFileStore(database) : new FolderFileStore(folder);
  const location = isShared ? "the database" : `the folder ${folder}`;
  return { files, uploads, location, check: async () => undefined, [Symbol.asyncDispose]: async () => undefined };
}
