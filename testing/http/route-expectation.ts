/** Roles of the server's route table. */
type Role = "open" | "signed-in" | "manager" | "administrator" | "owner";

/** Ids of one account's objects, for calls. */
export type RouteIds = {
  chat: string;
  session: string;
  passkey: string;
  /** Identity at an identity provider. */
  identity: string;
  reply: string;
  preset: string;
  folder: string;
  deletedFolder: string;
  file: string;
  /** Approval of a tool. */
  approval: string;
  /** A tool server of the account's own. */
  ownServer: string;
  /** A link to a chat for anyone. */
  share: string;
  /** A draft of a link to a chat. */
  shareDraft: string;
  /** Token of a link for anyone. */
  openToken: string;
  /** Token of a link that only the account can open. */
  closedToken: string;
  /** Another account, which an owner may administer. */
  account: string;
  invitation: string;
  /** A group of accounts. */
  group: string;
  /** A tool server of the account, to which people cannot sign in. */
  toolServer: string;
  /** Slug of a connection. */
  connection: string;
  /** Slug of an identity provider. */
  provider: string;
  /** Slug of an MCP server of owners. */
  mcpServer: string;
};
export type RoutePerson = { username: string; email: string; password: string };

/** A valid call of a route and its result. */
export type RouteExpectation = {
  role: Role;
  /** Whether the route requires a proof of ownership. */
  proof?: true;
  /**
   * Object that `:id` or `:token` of the path names; without it `:token` is that of a link for anyone. `:messageId` is a
   * reply, `:name` a provider, `:provider` an identity provider.
   */
  id?: Exclude<keyof RouteIds, "reply" | "openToken">;
  /** An upload: the client chooses the id, so that any is its own, and the body are bytes without fields. */
  isUpload?: true;
  query?: (ids: RouteIds) => string;
  /** A valid body for objects of the caller. */
  body?: (person: RoutePerson, ids: RouteIds) => Record<string, unknown> | Uint8Array;
  /** Status for a permitted caller. */
  status: number;
  /** The response is an event stream, which may not end. */
  isStream?: boolean;
};
