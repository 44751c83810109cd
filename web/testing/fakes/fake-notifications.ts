/** For tests: the Notifications API, without a service worker. */

import { vi } from "vitest";

/** Replaces `Notification` until globals are unstubbed. `permission`: changes as a person would change it. */
export function fakeNotifications(permission: NotificationPermission = "granted") {
  const state = { permission, answer: "granted" as NotificationPermission, requests: 0 };
  const shown: FakeNotification[] = [];
  class FakeNotification extends EventTarget {
    static get permission(): NotificationPermission {
      return state.permission;
    }
    static async requestPermission(): Promise<NotificationPermission> {
      state.requests += 1;
      if (state.permission === "default") state.permission = state.answer;
      return state.permission;
    }
    readonly title: string;
    readonly options: NotificationOptions;
    isClosed = false;
    constructor(title: string, options: NotificationOptions = {}) {
      super();
      this.title = title;
      this.options = options;
      shown.push(this);
    }
    close(): void {
      this.isClosed = true;
    }
  }
  vi.stubGlobal("Notification", FakeNotification);
  /** Returns the titles of the notifications that are not closed. */
  const titles = () => shown.filter(({ isClosed }) => !isClosed).map(({ title }) => title);
  return { state, shown, titles };
}
