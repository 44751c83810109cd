import * as z from "zod/mini";

/** A folder for chats. Folders are listed in the order of their positions. */
export const folderSchema = z.object({ id: z.string(), name: z.string() });
export type Folder = z.infer<typeof folderSchema>;
export const folderListSchema = z.array(folderSchema);
