import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import * as z from "zod/mini";
import { moveDurably } from "../../database/snapshots.ts";
import { Refusal } from "../command.ts";
import { type AttachedReader, AttachedWalk } from "./attached-lines.ts";
import { Damage } from "./damage.ts";
import { Digest, type Row, type TableCount } from "./digest.ts";
import type { TableShape } from "./row-store.ts";
import { copiedTables } from "./tables.ts";

/** Format of backups, specified in docs/decisions/0022-backups-are-rows.md. */
const FORMAT = "parley-backup";
const FORMAT_VERSION = 1;

const headerSchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(FORMAT_VERSION),
  /** Version of the program that wrote the backup. */
  program: z.string(),
  database: z.enum(["sqlite", "postgresql"]),
  /** ISO 8601. */
  createdAt: z.string(),
  /** Names of the applied migrations, in their order. */
  migrations: z.array(z.string()),
});
export type BackupHeader = z.infer<typeof headerSchema>;

const tableSchema = z.object({ table: z.string(), columns: z.array(z.string()) });
const rowSchema = z.array(z.union([z.string(), z.number(), z.null()]));
const endSchema = z.object({ end: z.string(), rows: z.int(), digest: z.string() });
const fileSchema = z.object({ file: z.string(), base64: z.string() });
const lastSchema = z.object({ complete: z.literal(true) });

/** A file of the data folder; `path` is relative to it, with slashes. */
export type BackedUpFile = { path: string; content: Buffer };

/** Callbacks for the content of a backup: tables each with its rows, then files, attached files last. */
export type BackupReader = AttachedReader & {
  onTable?(shape: TableShape): Promise<void> | void;
  onRows?(shape: TableShape, rows: Row[]): Promise<void> | void;
  onTableEnd?(shape: TableShape, count: TableCount): Promise<void> | void;
  onFile?(file: BackedUpFile): Promise<void> | void;
};

export const newHeader = (header: Pick<BackupHeader, "program" | "database" | "migrations">): BackupHeader => ({
  ...{ format: FORMAT, version: FORMAT_VERSION },
  ...header,
  createdAt: new Date().toISOString(),
});

/** Lines of a backup before serialisation as JSON. */
export type BackupLines = AsyncIterable<unknown>;

/** Writes a backup (mode 600) atomically. @throws Refusal if the file exists already */
export async function writeBackupFile(file: string, lines: BackupLines): Promise<void> {
  if (existsSync(file)) throw new Refusal(`${file} already exists: choose another name.`);
  const partial = `${file}.partial`;
  await rm(partial, { force: true });
  try {
    await pipeline(
      Readable.from(inText(lines)),
      createGzip({ level: 6 }),
      createWriteStream(partial, { mode: 0o600, flags: "wx" }),
    );
    await moveDurably(partial, file);
  } finally {
    await rm(partial, { force: true });
  }
}

async function* inText(lines: BackupLines): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}

/** A file starts like a backup, but is damaged; `how` describes the damage. */
export class DamagedBackup extends Refusal {
  readonly how: string;

  constructor(file: string, how: string, options: ErrorOptions) {
    super(`${file} is damaged: ${how}.`, "refused", options);
    this.how = how;
  }
}

/** Code of the error that a TextDecoder with `fatal` throws on invalid UTF-8. */
const NOT_UTF8 = "ERR_ENCODING_INVALID_ENCODED_DATA";

/**
 * Reads a whole backup, and checks that it is complete and undamaged.
 * @throws DamagedBackup, or a Refusal if the file is no backup or has a newer format
 */
export async function readBackupFile(file: string, readerFor: (header: BackupHeader) => Promise<BackupReader>) {
  const walk = new BackupWalk(readerFor);
  try {
    await pipeline(createReadStream(file), createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
      for await (const line of linesOf(chunks)) await walk.take(line);
    });
    return walk.end();
  } catch (cause) {
    if (cause instanceof Damage) throw new DamagedBackup(file, cause.message, { cause });
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (code.startsWith("Z_")) throw new DamagedBackup(file, "it cannot be unpacked", { cause });
    if (code === NOT_UTF8) throw new DamagedBackup(file, "it contains invalid UTF-8", { cause });
    throw cause;
  }
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let parts: string[] = [];
  for await (const chunk of chunks) {
    const [first = "", ...more] = decoder.decode(chunk, { stream: true }).split("\n");
    parts.push(first);
    for (const next of more) {
      yield parts.join("");
      parts = [next];
    }
  }
  if (parts.join("") !== "") throw new Damage("it is truncated");
}

/** State machine that validates the lines of a backup and passes them to a reader. */
class BackupWalk {
  readonly #readerFor: (header: BackupHeader) => Promise<BackupReader>;
  #header: BackupHeader | undefined;
  #reader: BackupReader = {};
  #attached = new AttachedWalk({});
  #table: { shape: TableShape; digest: Digest } | undefined;
  readonly #counts: TableCount[] = [];
  #isComplete = false;

  constructor(readerFor: (header: BackupHeader) => Promise<BackupReader>) {
    this.#readerFor = readerFor;
  }

  async take(line: string): Promise<void> {
    const value: unknown = this.#readJson(line);
    if (!this.#header) return this.#begin(value);
    if (this.#isComplete) throw new Damage("data follows its end");
    if (this.#table) return this.#takeInTable(this.#table, value);
    if (await this.#attached.take(value)) return;
    if (this.#attached.isOpen) throw new Damage("the end of an attached file is missing");
    const table = tableSchema.safeParse(value);
    if (table.success) return this.#beginTable(table.data);
    const file = fileSchema.safeParse(value);
    if (file.success) {
      return this.#reader.onFile?.({ path: file.data.file, content: Buffer.from(file.data.base64, "base64") });
    }
    if (!lastSchema.safeParse(value).success) throw new Damage("it has a line of unknown form");
    this.#isComplete = true;
  }

  end(): { header: BackupHeader; counts: readonly TableCount[] } {
    if (!this.#header || !this.#isComplete) throw new Damage("its end is missing");
    return { header: this.#header, counts: this.#counts };
  }

  async #begin(value: unknown): Promise<void> {
    const header = headerSchema.safeParse(value);
    if (!header.success) throw new Refusal("This is not a backup that this version of the program can read.");
    this.#header = header.data;
    this.#reader = await this.#readerFor(header.data);
    this.#attached = new AttachedWalk(this.#reader);
  }

  async #beginTable({ table: name, columns }: z.infer<typeof tableSchema>): Promise<void> {
    const known = copiedTables.find((table) => table.name === name);
    if (!known) throw new Damage(`it has an unknown table ${name}`);
    const shape = { ...known, columns };
    this.#table = { shape, digest: new Digest() };
    await this.#reader.onTable?.(shape);
  }

  async #takeInTable({ shape, digest }: { shape: TableShape; digest: Digest }, value: unknown): Promise<void> {
    const end = endSchema.safeParse(value);
    if (end.success) {
      const count = digest.countOf(shape.name);
      if (end.data.end !== shape.name || end.data.rows !== count.rows || end.data.digest !== count.digest) {
        throw new Damage(`the rows of ${shape.name} do not match their number and digest`);
      }
      this.#counts.push(count);
      this.#table = undefined;
      return this.#reader.onTableEnd?.(shape, count);
    }
    const rows = z.array(rowSchema).safeParse(value);
    if (!rows.success) throw new Damage(`${shape.name} has a line of unknown form`);
    for (const row of rows.data) digest.add(row);
    return this.#reader.onRows?.(shape, rows.data);
  }

  #readJson(line: string): unknown {
    try {
      return JSON.parse(line);
    } catch (cause) {
      if (this.#header) throw new Damage("it has a line that is not JSON", { cause });
      throw new Refusal("This is not a backup, or its beginning is damaged.", "refused", { cause });
    }
  }
}
