/** Files of the clipboard or of a drag. */

type Clipboard = Pick<DataTransfer, "getData"> & { files: Iterable<File> };
type Item = Pick<DataTransferItem, "kind" | "getAsFile"> & {
  webkitGetAsEntry?: () => { isDirectory: boolean } | null;
};

/** Whether a drag carries files of the system, not text or links. */
export const carriesFiles = ({ types }: Pick<DataTransfer, "types">): boolean => types.includes("Files");

/** A longer pasted text becomes a file (docs/settings.md names this). In UTF-16 units. */
export const LONG_PASTE_CHARS = 10_000;

const PASTED_NAME = "pasted-text.txt";

/** Returns a pasted text as a file if it is long; else null. */
export function longPaste(clipboard: Pick<Clipboard, "getData">): File | null {
  const text = clipboard.getData("text/plain");
  return text.length > LONG_PASTE_CHARS ? new File([text], PASTED_NAME, { type: "text/plain" }) : null;
}

/**
 * Returns the pasted files; none if the clipboard has text, which wins: office programs add a picture of copied cells.
 * A file manager adds the names of copied files as text.
 */
export function pastedFiles(clipboard: Clipboard): File[] {
  const files = [...clipboard.files];
  const lines = clipboard
    .getData("text/plain")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");
  const areNames = lines.every((line) => files.some(({ name }) => line === name || line.endsWith(`/${name}`)));
  return areNames ? files : [];
}

/** Returns the dropped files; folders, which browsers list as files that cannot be read, are counted only. */
export function droppedFiles({ items }: { items: Iterable<Item> }): { files: File[]; folders: number } {
  const entries = [...items].filter(({ kind }) => kind === "file");
  const isFolder = (item: Item) => item.webkitGetAsEntry?.()?.isDirectory ?? false;
  const files = entries.filter((item) => !isFolder(item)).flatMap((item) => item.getAsFile() ?? []);
  return { files, folders: entries.filter(isFolder).length };
}
