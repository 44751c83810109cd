import * as z from "zod/mini";

/** A folder for chats. They stand in the order in which they are listed. */
export const folderSchema = z.object({ id: z.string(), name: z.string() });
export type Folder = z.infer<typeof folderSchema>;
export const folderListSchema = z.array(folderSchema);
