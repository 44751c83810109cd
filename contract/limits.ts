/** Limits that server and browser share. Lengths of names are in characters, durations in milliseconds. */

export const NAME_MIN = 2;
export const NAME_MAX = 30;
export const USERNAME_MIN = 3;
export const USERNAME_MAX = 30;

export const PASSWORD_MIN = 8;
/** In Unicode code points. */
export const PASSWORD_MAX = 256;

/** Challenge and solution of a proof of work, in UTF-16 units. */
export const WORK_MAX = 200;

/** RFC 5321: the longest address that a mail server must accept. */
export const EMAIL_MAX = 254;

/** In UTF-16 units; the server's own limit may be lower (`MAX_MESSAGE_CHARS`). */
export const MESSAGE_MAX = 1_000_000;

/** Parts of one message. */
export const PARTS_MAX = 1000;

/** Sources that one call of a tool may return. */
export const TOOL_SOURCES_MAX = 20;

/** Approvals of tools that one list shows. */
export const TOOL_APPROVALS_MAX = 500;

/** Groups of tools that may be switched on in a chat, of Parley and of servers. */
export const TOOL_GROUPS_MAX = 50;

/** Tools that a reply can have. */
export const REPLY_TOOLS_MAX = 128;

/** Files of one message; the server's own limit may be lower (`MAX_FILES_PER_MESSAGE`). */
export const FILES_PER_MESSAGE_MAX = 100;
/** In bytes of UTF-8, as most file systems have it. */
export const FILE_NAME_MAX_BYTES = 255;
/** Files of one request of a temporary chat: their bytes in all, and their number. */
export const TEMPORARY_FILES_MAX_BYTES = 20_000_000;
export const TEMPORARY_FILES_MAX = 100;
/** Files of one account that belong to no message. */
export const UNSENT_FILES_MAX = 100;

/** In UTF-16 units; for an account, a preset and a chat, each. */
export const INSTRUCTIONS_MAX = 8000;

export const PRESETS_MAX = 100;
export const PRESET_NAME_MAX = 60;
export const TEMPERATURE_MAX = 2;

/** Maximum of concurrent replies of one account. */
export const REPLIES_AT_ONCE = 3;

export const CHAT_PAGE_MAX = 200;
/** Maximum of chats in a history without `limit`; older ones are on further pages. */
export const CHATS_LISTED_MAX = 10_000;
/** In UTF-16 units. */
export const CHAT_TITLE_MAX = 200;
/** Maximum of chats in one batch call. */
export const CHATS_AT_ONCE = 200;

export const FOLDER_NAME_MAX = 60;
/** Folders of one account. */
export const FOLDERS_MAX = 200;

/** Maximum number of months in one answer about usage. */
export const USAGE_MONTHS_MAX = 36;
/** Maximum of provider calls that the usage of one reply lists. */
export const CALLS_OF_REPLY_MAX = 1000;

/** In UTF-16 units. */
export const SEARCH_MAX = 200;
export const SEARCH_PAGE_MAX = 50;

/** In bytes: the unit of storage quotas. */
export const MEGABYTE = 1_000_000;
/** The largest storage quota of an account that can be set. */
export const QUOTA_MAX_MB = 1_000_000;

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Time in which the deletion of a chat or folder can be undone. After that it is removed with its content. */
export const UNDO_LIFE_MS = HOUR;
/** Time after which a file that belongs to no message is removed. */
export const UNSENT_FILE_LIFE_MS = DAY;
