import type { ListedToolGroup } from "#contract/conversation/tools.ts";
import type { Queryable } from "../database/schema.ts";
import type { Tool } from "./tool.ts";

/** Groups of tools that accounts have, beside those of the server. */
export type ToolSource = {
  /** Reads from the database the tools of those groups that the account can use. */
  listTools(db: Queryable, userId: string, slugs: readonly string[]): Promise<Tool[]>;
  /** Lists the groups that the account can use, or could if it signs in to them; may ask their servers. Not in a transaction. */
  listGroups(db: Queryable, userId: string): Promise<ListedToolGroup[]>;
};
