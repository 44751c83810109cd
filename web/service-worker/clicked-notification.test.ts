import { expect, test } from "vitest";
import { openClickedChat } from "./clicked-notification.ts";

const ORIGIN = "https://chat.example.org";
const clicked = { chat: "a", address: "/chat?c=a" };

/** Returns what a click does to windows at these addresses. */
async function click(...addresses: string[]): Promise<string[]> {
  const done: string[] = [];
  const windows = addresses.map((address) => ({
    url: ORIGIN + address,
    postMessage: (message: unknown) => done.push(`${address} receives ${JSON.stringify(message)}`),
    focus: async () => done.push(`${address} is focused`),
  }));
  const clients = {
    matchAll: async () => windows,
    openWindow: async (address: string) => {
      done.push(`${address} is opened`);
      return null;
    },
  };
  await openClickedChat(clients as unknown as Clients, clicked);
  return done;
}

test("a click on a notification focuses a window with chats, which opens the chat", async () => {
  expect(await click("/settings/account", "/chat?c=b", "/chat?c=c")).toEqual([
    '/chat?c=b receives {"openChat":"a"}',
    "/chat?c=b is focused",
  ]);
});

test("a click on a notification prefers the window that shows its chat already", async () => {
  expect(await click("/chat?c=b", "/chat?c=a")).toEqual([
    '/chat?c=a receives {"openChat":"a"}',
    "/chat?c=a is focused",
  ]);
});

test("a click on a notification leaves other pages and temporary chats, and opens a window", async () => {
  expect(await click("/settings/account", "/chat?temporary=1")).toEqual(["/chat?c=a is opened"]);
  expect(await click()).toEqual(["/chat?c=a is opened"]);
});
