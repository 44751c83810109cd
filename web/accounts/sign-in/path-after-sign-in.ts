/** History state that RequireAuth sets when it redirects a visitor to sign-in. */
export type SignInState = { from: string };

/** History state of another page with a notice for the sign-in screen. */
export type LoginState = { notice: string };

/** History state that the sign-in screen sets for the page of a forgotten password. */
export type TypedState = { typed: string };

/** Returns the notice to show above the form, or null. */
export const noticeOf = (state: unknown): string | null => textIn(state, "notice");

/** Returns the username that was typed on the sign-in screen. */
export const typedName = (state: unknown): string => textIn(state, "typed") ?? "";

function textIn(state: unknown, name: string): string | null {
  const value: unknown = typeof state === "object" && state !== null ? Reflect.get(state, name) : null;
  return typeof value === "string" && value !== "" ? value : null;
}

/** Returns the path that a visitor requested before signing in, if it is an allowed one; else the chats. */
export function pathAfterSignIn(state: unknown): string {
  const from = textIn(state, "from");
  return from !== null &&
    /^\/(chat(\?|$)|s\/[\w-]+$|become-owner(#|$)|settings(\/[a-z]+)?$|administration(\/[a-z]+(\/[\da-f-]{36})?)?$)/.test(
      from,
    )
    ? from
    : "/chat";
}

/** Returns the chat address from which the settings were opened; else the chats. */
export function pathBackToChats(state: unknown): string {
  const from = textIn(state, "from");
  return from !== null && /^\/chat(\?|$)/.test(from) ? from : "/chat";
}
