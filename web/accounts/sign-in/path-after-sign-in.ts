/** What RequireAuth leaves in the history's state when it sends a visitor to sign in first. */
export type SignInState = { from: string };

/** What another page leaves there for the sign-in screen to tell. */
export type LoginState = { notice: string };

/** What the sign-in screen leaves there for the page that sets a new password. */
export type TypedState = { typed: string };

/** The sentence to be told above the form; null where there is none. */
export const noticeOf = (state: unknown): string | null => textIn(state, "notice");

/** The username that was typed on the sign-in screen. */
export const typedName = (state: unknown): string => textIn(state, "typed") ?? "";

function textIn(state: unknown, name: string): string | null {
  const value: unknown = typeof state === "object" && state !== null ? Reflect.get(state, name) : null;
  return typeof value === "string" && value !== "" ? value : null;
}

/** The place that a visitor wanted before having to sign in, if it is one of ours; else the chats. */
export function pathAfterSignIn(state: unknown): string {
  const from = textIn(state, "from");
  return from !== null && /^\/(chat(\?|$)|settings(\/[a-z]+)?$)/.test(from) ? from : "/chat";
}

/** The place among the chats that a visitor of the settings came from; else the chats. */
export function pathBackToChats(state: unknown): string {
  const from = textIn(state, "from");
  return from !== null && /^\/chat(\?|$)/.test(from) ? from : "/chat";
}
