import { readStorage } from "../storage/browser-storage.ts";

/** Key of local storage that holds the bearer token; its name is part of the product's specification. */
export const ACCESS_TOKEN_KEY = "access_token";

/** The token that requests carry; null when nobody is signed in here, or where the browser forbids storage. */
export const readAccessToken = (): string | null => readStorage(ACCESS_TOKEN_KEY) || null;
