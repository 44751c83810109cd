/** Data of a notification: the id of its chat, and the path and query of the chat's page. */
type Clicked = { chat: string; address: string };

/**
 * Shows the chat of a notification in a window that shows chats; opens a new one if there is none. Other pages and
 * temporary chats are not left: they may hold text that is stored nowhere.
 */
export async function openClickedChat(
  clients: Pick<Clients, "matchAll" | "openWindow">,
  { chat, address }: Clicked,
): Promise<void> {
  const windows = (await clients.matchAll({ type: "window" })).filter(({ url }) => isChatPage(new URL(url)));
  const client = windows.find(({ url }) => url.endsWith(address)) ?? windows[0];
  if (!client) {
    await clients.openWindow(address);
    return;
  }
  client.postMessage({ openChat: chat });
  await client.focus();
}

const isChatPage = ({ pathname, searchParams }: URL) => pathname === "/chat" && !searchParams.has("temporary");
