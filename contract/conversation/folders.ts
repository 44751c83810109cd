import * as z from "zod/mini";

/**
 * A folder for chats. Folders are listed in the order of their positions. `chats`: number of its chats that are neither
 * archived nor pinned; set where the folders are read, and left out for 0.
 */
export const folderSchema = z.object({ id: z.string(), name: z.string(), chats: z.optional(z.number()) });
export type Folder = z.infer<typeof folderSchema>;
export const folderListSchema = z.array(folderSchema);
