import * as z from "zod/mini";
import { fileFacts } from "#contract/files/files.ts";
import { parseJson } from "../api/api-error.ts";
import type { DraftedFile } from "../files/draft-files.ts";

/** Precedes the stored form of a draft with files. A draft of text alone is stored as that text. */
const MARK = "\u0001draft:";
export const draftedFilesSchema = z.array(z.object({ ...fileFacts, isPasted: z.optional(z.boolean()) }));
const storedSchema = z.object({ text: z.string(), files: draftedFilesSchema });

const NO_FILES: readonly DraftedFile[] = [];

/**
 * Unsent message: its text, and its files in the order in which they are sent. What it says of a file that is not
 * uploaded yet is provisional, except the id. Immutable: a change makes a new draft.
 */
export class Draft {
  static readonly empty = new Draft("");
  readonly text: string;
  readonly files: readonly DraftedFile[];

  constructor(text: string, files: readonly DraftedFile[] = NO_FILES) {
    this.text = text;
    this.files = files;
  }

  /** Whether there is nothing to send. */
  get isEmpty(): boolean {
    return this.text.trim() === "" && this.files.length === 0;
  }

  /** Whether there is not even white space. */
  get isUntouched(): boolean {
    return this.text === "" && this.files.length === 0;
  }

  get fileIds(): string[] {
    return this.files.map(({ id }) => id);
  }

  withText(text: string): Draft {
    return new Draft(text, this.files);
  }

  withFiles(files: readonly DraftedFile[]): Draft {
    return new Draft(this.text, files);
  }

  /** Whether the other draft is the same message: what is known of its files does not matter. */
  isSame(other: Draft): boolean {
    return this.text === other.text && this.fileIds.join() === other.fileIds.join();
  }

  includes(other: Draft): boolean {
    const ids = new Set(this.fileIds);
    return this.text.includes(other.text) && other.fileIds.every((id) => ids.has(id));
  }

  /** Returns this draft with the other one below it; the text of only one of them if that of the other is blank. */
  join(other: Draft): Draft {
    const texts = [this.text, other.text].filter((text) => text.trim() !== "");
    const ids = new Set(this.fileIds);
    return new Draft(texts.join("\n\n"), [...this.files, ...other.files.filter(({ id }) => !ids.has(id))]);
  }

  /** Returns the stored form; null for an untouched draft. */
  toStored(): string | null {
    if (this.isUntouched) return null;
    const { text, files } = this;
    return files.length === 0 && !text.startsWith(MARK) ? text : MARK + JSON.stringify({ text, files });
  }

  static fromStored(stored: string | null): Draft {
    if (!stored) return Draft.empty;
    if (!stored.startsWith(MARK)) return new Draft(stored);
    const { data } = storedSchema.safeParse(parseJson(stored.slice(MARK.length)));
    return data ? new Draft(data.text, data.files) : new Draft(stored);
  }
}
