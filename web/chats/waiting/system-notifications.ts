import { log } from "../../log.ts";

const PREFIX = "parley-waiting:";
const ICON = "/icons/icon-192.png";

/** `address`: path and query of the chat. `onClick`: without a service worker, which handles clicks itself. */
export type ChatNotification = { chat: string; title: string; body: string; address: string; onClick: () => void };

/**
 * Notifications of the operating system, one a chat. The service worker shows them where there is one: `new Notification`
 * throws on Android, and every tab can close them.
 */
export class SystemNotifications {
  readonly #own = new Map<string, Notification>();

  /** Replaces the chat's notification. Does nothing without permission. */
  async show({ chat, title, body, address, onClick }: ChatNotification): Promise<void> {
    if (Notification.permission !== "granted") return;
    const options = { body, tag: PREFIX + chat, icon: ICON, lang: document.documentElement.lang };
    try {
      const registration = await activeWorker();
      if (registration) {
        await registration.showNotification(title, { ...options, data: { chat, address } });
        return;
      }
      const notification = new Notification(title, options);
      notification.addEventListener("click", () => {
        window.focus();
        notification.close();
        onClick();
      });
      this.#own.set(chat, notification);
    } catch (cause) {
      log.warn("A notification could not be shown", cause);
    }
  }

  /** Closes the notifications of the chats that `isEnded` selects, also those of other tabs and of earlier visits. */
  async close(isEnded: (chat: string) => boolean): Promise<void> {
    for (const [chat, notification] of this.#own) {
      if (!isEnded(chat)) continue;
      notification.close();
      this.#own.delete(chat);
    }
    const shown = (await (await activeWorker())?.getNotifications().catch(() => [])) ?? [];
    for (const notification of shown) {
      const { tag } = notification;
      if (tag.startsWith(PREFIX) && isEnded(tag.slice(PREFIX.length))) notification.close();
    }
  }
}

/** Returns the registration whose worker is active; null without one. */
async function activeWorker(): Promise<ServiceWorkerRegistration | null> {
  if (!("serviceWorker" in navigator)) return null;
  const registration = await navigator.serviceWorker.getRegistration().catch(() => undefined);
  return registration?.active ? registration : null;
}
