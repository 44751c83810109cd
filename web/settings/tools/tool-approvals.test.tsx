import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ToolApproval } from "#contract/conversation/tool-approvals.ts";
import { DAY } from "#contract/limits.ts";
import { type FakeAnswer, problem } from "../../testing/fakes/fake-api.ts";
import { done, eachTestAlone, openSettings, press } from "../../testing/open-settings.tsx";

eachTestAlone();

const LIST = "GET /tools/approvals";
const approval = (id: string, more: Partial<ToolApproval> = {}): ToolApproval => ({
  id,
  server: "web",
  name: "read_page",
  chat: null,
  state: "valid",
  createdAt: Date.now() - 3 * DAY,
  ...more,
});
const page = approval("a1");
const shop = approval("a2", {
  server: "shop",
  name: "buy",
  chat: { id: "c1", title: "Groceries", isUntitled: false },
});
const answer = (...approvals: ToolApproval[]): FakeAnswer => ({ json: { approvals } });
const lines = () =>
  within(screen.getByRole("region", { name: "Tools that need no approval" })).getAllByRole("listitem");

async function confirm(name: string): Promise<void> {
  const dialog = await screen.findByRole("alertdialog");
  await act(async () => fireEvent.click(within(dialog).getByRole("button", { name })));
}

test("each approval has the tool's name in words, its server, its chat and its age", async () => {
  await openSettings("tools", { [LIST]: answer(page, shop) });
  await screen.findByText("Read a page");
  const [first, second] = lines().map(({ textContent }) => textContent);
  expect(first).toContain("Read a pagePart of this serverIn all chats, allowed 3 days ago");
  expect(second).toContain("buyFrom shopAllowed 3 days ago in Groceries");
  expect(screen.getByRole("link", { name: "Groceries" }).getAttribute("href")).toContain("c1");
});

test("an approval of a tool that has changed, or is not available, says so and can be removed", async () => {
  const [changed, gone] = [
    { ...page, state: "changed" as const },
    { ...shop, state: "unavailable" as const },
  ];
  const sent = await openSettings("tools", {
    [LIST]: [answer(changed, gone), answer(changed)],
    "DELETE /tools/approvals/a2": done,
  });
  await screen.findByText("Read a page");
  expect(lines()[0]?.textContent).toContain("This tool has changed since, and asks again.");
  expect(lines()[1]?.textContent).toContain("This tool is not available now.");
  await press("Remove the approval of buy");
  await confirm("Remove");
  expect(sent()).toEqual([["DELETE /tools/approvals/a2", undefined]]);
  expect(lines()).toHaveLength(1);
});

test("an approval is removed after a confirmation, which can be cancelled, and the heading takes the focus", async () => {
  const sent = await openSettings("tools", {
    [LIST]: [answer(page), answer()],
    "DELETE /tools/approvals/a1": done,
  });
  await press("Remove the approval of Read a page");
  await screen.findByRole("alertdialog", { name: "Let Read a page ask again?" });
  await confirm("Cancel");
  expect(sent()).toEqual([]);
  await press("Remove the approval of Read a page");
  await confirm("Remove");
  expect(sent()).toEqual([["DELETE /tools/approvals/a1", undefined]]);
  expect(await screen.findByText("Read a page asks again.")).toBeTruthy();
  expect(screen.getByText("Every tool asks")).toBeTruthy();
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Tools that need no approval"));
});

test("all approvals are removed at once after a confirmation", async () => {
  const sent = await openSettings("tools", { [LIST]: [answer(page, shop), answer()], "DELETE /tools/approvals": done });
  await press("Remove all");
  await screen.findByRole("alertdialog", { name: "Let all tools ask again?" });
  await confirm("Remove all");
  expect(sent()).toEqual([["DELETE /tools/approvals", undefined]]);
  expect(await screen.findByText("All tools ask again.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Remove all" })).toBeNull();
});

test("an approval that was removed elsewhere counts as removed", async () => {
  await openSettings("tools", {
    [LIST]: [answer(page), answer()],
    "DELETE /tools/approvals/a1": problem(404, "not-found"),
  });
  await press("Remove the approval of Read a page");
  await confirm("Remove");
  expect(await screen.findByText("Read a page asks again.")).toBeTruthy();
});

test("a removal that fails leaves the approval in the list, with the reason", async () => {
  await openSettings("tools", { [LIST]: answer(page), "DELETE /tools/approvals/a1": problem(503, "unavailable") });
  await press("Remove the approval of Read a page");
  await confirm("Remove");
  expect((await screen.findByRole("alert")).textContent).toContain("The service is not available right now.");
  expect(lines()).toHaveLength(1);
});

test("approvals that could not be read can be read again, and an empty list says how tools get there", async () => {
  await openSettings("tools", { [LIST]: [problem(503, "unavailable"), answer()] });
  await press("Try again");
  expect(await screen.findByText(/“Always allow”/)).toBeTruthy();
});
