import { Failure } from "../../failure.ts";
import type { LookupFile } from "../tool.ts";
import { ToolInputError } from "../tool-input-error.ts";

/** A file under a name that no other file of the conversation has. */
export type LabelledFile = { label: string; file: LookupFile };

/** Names in the answer to a name that no file has. */
const NAMES_MAX = 50;

/**
 * Gives each file a name of its own: the newest has the name by which the prompt tells of it, and earlier files of that
 * name get a number. @param files oldest first
 */
export function labelled(files: readonly LookupFile[]): LabelledFile[] {
  const taken = new Set(files.map(({ name }) => name));
  const named = new Map<string, number>();
  return files
    .toReversed()
    .map((file) => {
      let count = (named.get(file.name) ?? 0) + 1;
      while (count > 1 && taken.has(`${file.name} (${count})`)) count += 1;
      named.set(file.name, count);
      const label = count === 1 ? file.name : `${file.name} (${count})`;
      taken.add(label);
      return { label, file };
    })
    .reverse();
}

/** Finds a file by its name, in any letter case. @throws ToolInputError with the names that there are */
export function chosenFile(files: readonly LabelledFile[], name: string): LabelledFile {
  const wanted = normalised(name);
  const found = files.find(({ label }) => label === name) ?? files.find(({ label }) => normalised(label) === wanted);
  if (found) return found;
  const names = files.slice(-NAMES_MAX).map(({ label }) => JSON.stringify(label));
  throw new ToolInputError(`There is no such file. The files are: ${names.join(", ")}.`);
}

/** Reads the text of a file. @throws ToolInputError if it was deleted meanwhile, or has no text */
export async function lookedUpText({ label, file }: LabelledFile): Promise<string> {
  const text = await file.readText().catch((error: unknown) => {
    if (error instanceof Failure && error.code === "not-found") return "";
    throw error;
  });
  if (text.trim() === "") throw new ToolInputError(`The file ${JSON.stringify(label)} has no readable text.`);
  return text;
}

const normalised = (name: string) => name.normalize("NFC").trim().toLowerCase();
