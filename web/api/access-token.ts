/** Key of local storage that holds the bearer token; its name is part of the product's specification. */
export const ACCESS_TOKEN_KEY = "access_token";

/** The token that requests carry, or null when nobody is signed in here. */
export function readAccessToken(): string | null {
  try {
    return localStorage.getItem(ACCESS_TOKEN_KEY) || null;
  } catch {
    // A browser may forbid storage altogether; then nobody is signed in.
    return null;
  }
}
