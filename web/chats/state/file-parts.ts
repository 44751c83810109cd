import type { MessagePart } from "#contract/conversation/parts.ts";
import { type AttachedFile, attachedFileSchema } from "#contract/files/files.ts";

type WithParts = { parts?: readonly MessagePart[] | undefined };

/** Returns the parts of a question that name its files. */
export function toFileParts(files: readonly AttachedFile[]): MessagePart[] {
  return files.map((file, seq) => ({ ...file, seq, at: 0, kind: "file" }));
}

/** Returns the files that a message names, in their order. */
export function filesOf({ parts = [] }: WithParts): AttachedFile[] {
  return parts.flatMap((part) => {
    const { data } = part.kind === "file" ? attachedFileSchema.safeParse(part) : {};
    return data ? [data] : [];
  });
}

/** Whether a message names these files, in this order. */
export function hasFiles(message: WithParts, files: readonly Pick<AttachedFile, "id">[]): boolean {
  const ids = filesOf(message).map(({ id }) => id);
  return ids.join() === files.map(({ id }) => id).join();
}
