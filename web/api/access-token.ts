import { readStorage } from "../storage/browser-storage.ts";

/** Key of the bearer token in local storage. The product's specification defines its name. */
export const ACCESS_TOKEN_KEY = "access_token";

/** Returns the stored bearer token; null if nobody is signed in here or the browser forbids storage. */
export const readAccessToken = (): string | null => readStorage(ACCESS_TOKEN_KEY) || null;
