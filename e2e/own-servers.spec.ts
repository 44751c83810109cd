import type { Page } from "@playwright/test";
import { ListingServer } from "../testing/mcp/listing-server.ts";
import { startSignInServer } from "../testing/mcp/sign-in-server.ts";
import { expect } from "./chat-screen.ts";
import { expectNoOverhang } from "./looks.ts";
import { test } from "./own-server-app.ts";
import { field, openSection, press } from "./settings-screen.ts";

/** The browser visits the scripted authorisation server. */
const VISIT = /^request: http:\/\/127\.0\.0\.1:\d+\/authorize\?/;

test.use({ expectedErrors: [VISIT] });

const server = (page: Page, name: string) => page.getByRole("listitem", { name, exact: true });

async function add(page: Page, name: string, url: string): Promise<void> {
  await openSection(page, "tools");
  await press(page, "Add a server").click();
  await expect(field(page, "Name")).toBeFocused();
  await page.keyboard.type(name);
  await field(page, "Address").fill(url);
  await page.keyboard.press("Enter");
  await expect(server(page, name)).toBeFocused();
}

async function chooseInMenu(page: Page, name: string, item: string): Promise<void> {
  await press(page, `More: ${name}`).click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
}

test("a person adds a server, uses it in a chat, and removes it @phone", async ({ page, chat }) => {
  await using remote = await ListingServer.start();
  remote.tools = [{ name: "find", title: "Find pages", annotations: { readOnlyHint: true } }, { name: "wipe" }];
  await add(page, "Wiki", remote.url);
  await expect(page.getByText("Wiki is added. Wiki has 2 tools.")).toBeVisible();
  await press(page, "What it can do: Wiki").click();
  await expect(server(page, "Wiki")).toContainText("Find pages");
  await expectNoOverhang(page);

  await chat.open();
  await press(page, "Tools").click();
  await page.getByRole("checkbox", { name: "Wiki" }).click();
  await press(page, "Switch on").click();
  await expect(page.getByRole("checkbox", { name: "Wiki" })).toBeChecked();

  await openSection(page, "tools");
  remote.tools = [...remote.tools, { name: "rename" }];
  await chooseInMenu(page, "Wiki", "List the tools again");
  await expect(page.getByText("Wiki has 3 tools.")).toBeVisible();
  await chooseInMenu(page, "Wiki", "Remove");
  await press(page.getByRole("alertdialog", { name: "Remove Wiki?" }), "Remove").click();
  await expect(page.getByText("No server yet")).toBeVisible();
  await expect(page.getByRole("heading", { name: "MCP servers" })).toBeFocused();
});

test("a person signs in to a server, and out of it, which revokes the tokens", async ({ page, account: _ }) => {
  await using remote = await startSignInServer();
  const { authorisation } = remote;
  await add(page, "Notes", remote.url);
  await expect(page.getByText("Notes is added. Notes needs your sign-in.")).toBeVisible();
  await press(page, "Sign in to Notes").click();
  await expect(page.getByText("Connected to Notes.")).toBeVisible();
  const issuer = new URL(authorisation.issuer).host;
  await expect(server(page, "Notes")).toContainText(`at ${issuer}`);
  await expect(server(page, "Notes")).toContainText("2 tools");
  await expect(page).toHaveURL("/settings/tools");

  await chooseInMenu(page, "Notes", "Sign out");
  await expect(page.getByText("You are signed out of Notes.")).toBeVisible();
  await expect(press(page, "Sign in to Notes")).toBeVisible();
  expect(authorisation.seen("/revoke").length).toBeGreaterThan(0);
});

test("a server that cannot be reached stays in the list with the reason, until its address is corrected", async ({
  page,
  account: _,
}) => {
  await using remote = await ListingServer.start();
  await add(page, "Wiki", remote.url.replace("/mcp", "/sse"));
  await expect(page.getByText("Wiki is added. Wiki does not work yet.")).toBeVisible();
  await expect(server(page, "Wiki")).toContainText("Check the path of the address");
  await press(page, "Edit Wiki").click();
  await field(page, "Address").fill(remote.url);
  await press(page, "Save").click();
  await expect(page.getByText("Wiki is saved. Wiki has 1 tool.")).toBeVisible();
  await expect(server(page, "Wiki")).toContainText("Ready");
});
