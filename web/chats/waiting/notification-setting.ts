import { StoredText } from "../../storage/stored-text.ts";

/** Id of an account: another person who signs in in this browser sees no titles of chats without having chosen it. */
const stored = new StoredText("parley.waiting-notifications", "The choice of notifications");

/** Whether this browser shows notifications of an account's waiting chats. */
export const notificationSetting = {
  subscribe: stored.subscribe,
  isOn: (account: string): boolean => stored.get() === account,
  set: (account: string, isOn: boolean): void => stored.set(isOn ? account : null),
};
