import type { ListedToolGroup } from "#contract/conversation/tools.ts";
import type { Queryable } from "../database/schema.ts";
import type { Tool } from "./tool.ts";

/** Groups of tools that accounts have, beside those of the server. Everything is read from the database. */
export type ToolSource = {
  /** Returns the tools of those groups that the account can use, in the order of the slugs. */
  listTools(db: Queryable, userId: string, slugs: readonly string[]): Promise<Tool[]>;
  /** Lists the groups that the account can use, or could if it connects them. */
  listGroups(db: Queryable, userId: string): Promise<ListedToolGroup[]>;
};
