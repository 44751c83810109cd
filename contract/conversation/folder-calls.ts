import * as z from "zod/mini";
import { FOLDER_NAME_MAX, FOLDERS_MAX } from "../limits.ts";
import { nameText } from "../text/name-text.ts";

const name = nameText(FOLDER_NAME_MAX);

export const newFolderSchema = z.object({ name });

/** At least one field. `position`: zero-based index among the account's folders; larger values mean the end. */
export const folderChangeSchema = z
  .object({
    name: z.optional(name),
    position: z.optional(z.number().check(z.int(), z.minimum(0), z.maximum(FOLDERS_MAX))),
  })
  .check(z.refine(({ name, position }) => name !== undefined || position !== undefined));
export type FolderChange = z.infer<typeof folderChangeSchema>;

/** `empty`: the folder is deleted only if it has no chats, archived and deleted ones included. */
export const folderDeletionQuerySchema = z.object({ empty: z.optional(z.literal("true")) });
