/** Path of the API. The paths of `<noun>/paths.ts` are relative to it; ids in them are unescaped, because ids are URL-safe. */
export const API_BASE = "/api";

/** Header with an idempotency key: identifies one send or one new chat over all retries. */
export const IDEMPOTENCY_KEY_HEADER = "idempotency-key";
/** Header with the IANA name of the browser's time zone, of requests for a reply. An unknown name counts as none. */
export const TIME_ZONE_HEADER = "x-time-zone";
export const ANTI_FORGERY_HEADER = "x-xsrf-token";
export const ANTI_FORGERY_COOKIE = "XSRF-TOKEN";
