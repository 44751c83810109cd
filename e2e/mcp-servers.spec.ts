import { ListingServer } from "../testing/mcp/listing-server.ts";
import { openAs } from "./administration-screen.ts";
import { expect, failedRequest, test } from "./fixtures.ts";
import { expectNoOverhang } from "./looks.ts";
import { field, press, proveInDialog } from "./settings-screen.ts";

// The first change is refused until the proof.
test.use({ expectedErrors: [failedRequest(403)] });

test("an owner tests and adds an MCP server, chooses its tools, and removes it @phone", async ({
  page,
  account,
  parley: { app },
}) => {
  await using remote = await ListingServer.start();
  remote.tools = [{ name: "find", title: "Find pages", annotations: { readOnlyHint: true } }, { name: "wipe" }];
  await openAs(page, app, account, ["owner", "tool-servers"]);
  await press(page, "Add a server").click();
  await field(page, "Name").fill("Wiki");
  await field(page, "Address").fill(remote.url);
  await press(page, "Test").click();
  await proveInDialog(page, account);
  await expect(page.getByText(/answers and has 2 tools\.$/)).toBeVisible();
  await press(page, "Add").click();
  const card = page.getByRole("listitem", { name: "Wiki" });
  await expect(card.getByRole("list", { name: "Tools of Wiki" })).toContainText("Can change and delete");
  await card.getByRole("radio", { name: /^Only some/ }).check();
  await card.getByRole("checkbox", { name: "wipe" }).uncheck();
  await press(card, "Save").click();
  await expect(card.getByText("1 of 2 tools")).toBeVisible();
  await expectNoOverhang(page);
  await press(card, "More: Wiki").click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await press(page.getByRole("alertdialog", { name: "Remove Wiki?" }), "Remove").click();
  await expect(page.getByText("No MCP server yet")).toBeVisible();
});
