/** Slugs of groups of tools. */

/** Groups of the tools of Parley itself, whose slugs no server has. */
export const parleyGroups = ["web", "chats", "basics", "files"] as const;

/** Begins the slugs of people's own servers, and of no others. */
export const OWN_SLUG_PREFIX = "my-";
