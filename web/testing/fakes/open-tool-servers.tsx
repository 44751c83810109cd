/** For tests: the servers on the page of tools of a signed-in person, with a fake server. */

import { act, fireEvent, screen, within } from "@testing-library/react";
import { MINUTE } from "#contract/limits.ts";
import type { PersonalServer } from "#contract/mcp/own-servers.ts";
import { openSettings } from "../open-settings.tsx";
import type { FakeAnswer } from "./fake-api.ts";

export const LIST = "/mcp/servers";
export const url = "https://shop.example.org/mcp";
export const shop: PersonalServer = {
  id: "s1",
  name: "Shop",
  host: "shop.example.org",
  url,
  isOwn: true,
  isOn: true,
  state: "ready",
  tools: [
    { name: "find", title: "Find goods", effect: "read" },
    { name: "buy", effect: "change" },
  ],
  leftOut: 0,
  listedAt: Date.now() - 5 * MINUTE,
};
export const unreachableShop: PersonalServer = { ...shop, state: "away", failure: "unreachable", tools: [] };
export const closed: PersonalServer = { ...shop, state: "connect", tools: [] };
const signedInAt = Date.now() - 60 * MINUTE;
export const signedIn: PersonalServer = { ...shop, signedInAt, issuer: "id.example.org" };
const { url: _, ...others } = { ...signedIn, id: "file:wiki", name: "Wiki", host: "wiki.example.org", isOwn: false };
export const provided: PersonalServer = others;

/** Answer of the list. */
export const listOf = (servers: readonly PersonalServer[], canAdd = true): FakeAnswer => ({
  json: { canAdd, servers },
});
export const row = (name: string) => screen.getByRole("listitem", { name });
export const statusTexts = () => screen.getAllByRole("status").map(({ textContent }) => textContent);
export const serversRegion = () => screen.getByRole("region", { name: "MCP servers" });

type Answers = Record<string, FakeAnswer | readonly FakeAnswer[]>;
/** Opens the page of tools with these servers. Returns the live list of calls that change data. */
export async function openToolServers(servers: readonly PersonalServer[], answers: Answers = {}, canAdd = true) {
  const sent = await openSettings("tools", {
    [`GET ${LIST}`]: listOf(servers, canAdd),
    "GET /tools/approvals": { json: { approvals: [] } },
    ...answers,
  });
  await screen.findByText("Every tool asks");
  return sent;
}

export async function chooseInMenu(name: string, item: string): Promise<void> {
  const button = screen.getByRole("button", { name: `More: ${name}` });
  await act(async () => void fireEvent.keyDown(button, { key: "Enter" }));
  await act(async () => void fireEvent.click(await screen.findByRole("menuitem", { name: item })));
}

/** Presses a button of the dialog that asks for a confirmation. */
export async function confirmDialog(name: string): Promise<void> {
  const dialog = await screen.findByRole("alertdialog");
  await act(async () => fireEvent.click(within(dialog).getByRole("button", { name })));
}
