import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ShareList } from "#contract/shares/shares.ts";
import { forgetSession, signIn } from "../accounts/session/session.ts";
import "../testing/english-texts.ts";
import { ada, type FakeAnswer, fakeApi, problem, tokenFor } from "../testing/fakes/fake-api.ts";
import { CREATED_AT, pageOf, shareDraftOf, shareListOf, shareOf } from "../testing/fakes/fake-shares.ts";
import { clearNotifications, currentNotifications } from "../ui/notifications/notify.ts";
import { ShareDialog } from "./share-dialog.tsx";

const clipboard = { writeText: vi.fn(async (_: string) => {}) };
const onShared = vi.fn();
const onClose = vi.fn();

beforeEach(() => {
  for (const mock of [clipboard.writeText, onShared, onClose]) mock.mockClear();
  Object.defineProperty(navigator, "clipboard", { configurable: true, value: clipboard });
});
afterEach(() => {
  cleanup();
  forgetSession();
  clearNotifications();
  vi.unstubAllGlobals();
});

type Answers = Record<string, FakeAnswer | readonly FakeAnswer[]>;

/** Opens the dialog of a chat; drafts are rendered as d1, d2 and so on. Returns the calls that change data. */
async function open(list: ShareList, answers: Answers = {}, isWriting = false) {
  signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true });
  const drafts = ["d1", "d2", "d3"];
  const calls = fakeApi({
    "GET /shares": { json: list },
    "POST /chat/a/shares": drafts.map((id) => ({ status: 201, json: shareDraftOf(id) })),
    ...Object.fromEntries(drafts.map((id) => [`GET /shares/${id}/page`, { json: pageOf(`words of ${id}`) }])),
    ...answers,
  });
  await act(async () => {
    render(<ShareDialog chat={{ id: "a", title: "Tides", isWriting }} onShared={onShared} onClose={onClose} />);
  });
  return () => calls.flatMap(({ method, path, body }) => (method === "GET" ? [] : [[`${method} ${path}`, body]]));
}

const frame = () => screen.queryByRole("region", { name: "Exactly what readers will see" });
const previewText = () => frame()?.firstElementChild?.shadowRoot?.textContent ?? "";
const button = (name: string | RegExp) => screen.getByRole("button", { name });
const press = (name: string | RegExp) => act(async () => void fireEvent.click(button(name)));
const check = (name: string) => act(async () => void fireEvent.click(screen.getByRole("checkbox", { name })));
const alertText = () => screen.queryByRole("alert")?.textContent ?? null;
const published = (id: string, changes = {}): Answers => ({
  [`POST /shares/${id}/publication`]: { json: shareOf(id, changes) },
});
const usual = { reasoning: false, tools: false, files: true, author: false };

test("the preview is rendered without reasoning, details of tools and the name, and with the files", async () => {
  const calls = await open(shareListOf([]));
  await waitFor(() => expect(previewText()).toContain("words of d1"));
  expect(calls()).toEqual([["POST /chat/a/shares", usual]]);
  const boxes = screen.getAllByRole<HTMLInputElement>("checkbox");
  expect(boxes.map(({ checked }) => checked)).toEqual([true, false, false, false]);
  expect(screen.getByText("Readers see “Ada Byron”.")).toBeTruthy();
});

test("a changed option renders the preview anew, and no link can be created until it is there", async () => {
  const calls = await open(shareListOf([]));
  await waitFor(() => expect(previewText()).toContain("words of d1"));
  await check("Reasoning");
  expect(frame()?.getAttribute("aria-busy")).toBe("true");
  expect(button("Create link").getAttribute("aria-disabled")).toBe("true");
  await press("Create link");
  await waitFor(() => expect(previewText()).toContain("words of d2"));
  expect(frame()?.getAttribute("aria-busy")).toBe("false");
  expect(calls()).toEqual([
    ["POST /chat/a/shares", usual],
    ["POST /chat/a/shares", { ...usual, reasoning: true }],
  ]);
});

test("a link for people with an account and a month is created, copied, and shown with its address", async () => {
  const expiresAt = CREATED_AT + 30 * 86_400_000;
  const calls = await open(shareListOf([]), published("d1", { expiresAt }));
  await waitFor(() => expect(previewText()).toContain("words of d1"));
  await press("Create link");
  expect(calls().at(-1)).toEqual(["POST /shares/d1/publication", { audience: "signed-in", days: 30 }]);
  expect(await screen.findByText("Link created")).toBeTruthy();
  expect(document.activeElement?.textContent).toBe("Link created. It was copied.");
  expect(clipboard.writeText.mock.calls).toEqual([["https://parley.example/s/d1"]]);
  expect(screen.getByLabelText<HTMLInputElement>("Address").value).toBe("https://parley.example/s/d1");
  expect(screen.getByText(/^People with an account here can open it until Dec 3, 2026/)).toBeTruthy();
  expect(onShared.mock.calls).toEqual([[false], [true]]);
  await press("Done");
  expect(onClose).toHaveBeenCalledOnce();
});

test("a link that the browser does not let the page copy is created nevertheless", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  clipboard.writeText.mockRejectedValueOnce(new DOMException("denied", "NotAllowedError"));
  await open(shareListOf([]), published("d1"));
  await waitFor(() => expect(previewText()).toContain("words of d1"));
  await press("Create link");
  expect((await screen.findByRole("heading", { name: "Link created" })).textContent).toBe("Link created");
  await press("Copy");
  expect(await screen.findByRole("button", { name: "Copied" })).toBeTruthy();
  expect(clipboard.writeText).toHaveBeenCalledTimes(2);
});

test("anybody and no end can be chosen, and the sentence above the button says so", async () => {
  const calls = await open(shareListOf([]), published("d1", { audience: "anyone" }));
  await waitFor(() => expect(previewText()).toContain("words of d1"));
  fireEvent.click(screen.getByRole("radio", { name: /^Anybody with the link/ }));
  const never = screen.getByRole<HTMLOptionElement>("option", { name: "Never" });
  fireEvent.change(screen.getByRole("combobox", { name: "Expires" }), { target: { value: never.value } });
  expect(screen.getByText("Anybody with the link can open it until you revoke it.")).toBeTruthy();
  await press("Create link");
  expect(calls().at(-1)?.[1]).toEqual({ audience: "anyone", days: null });
});

test("only audiences and lives that the rules allow are offered", async () => {
  await open(shareListOf([], { audiences: ["group"], daysMax: 7 }));
  expect(screen.getAllByRole("radio")).toHaveLength(1);
  expect(screen.getByRole<HTMLInputElement>("radio", { name: /^My group: Physics/ }).checked).toBe(true);
  const lives = screen.getAllByRole("option").map(({ textContent }) => textContent);
  expect(lives).toEqual(["After 1 day", "After 1 week"]);
  expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Expires" }).selectedOptions[0]?.textContent).toBe(
    "After 1 week",
  );
});

test("while links are off there is a sentence instead of the form, and older links can be revoked", async () => {
  const calls = await open(shareListOf([shareOf("s", { isPaused: true })], { audiences: [] }));
  expect(screen.getByText("Links to chats are switched off for your account.")).toBeTruthy();
  expect(screen.getByText("Paused: links are switched off for your account.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Create link" })).toBeNull();
  expect(screen.queryByRole("button", { name: /^Update/ })).toBeNull();
  expect(button(/^Revoke the link of Nov 3, 2026/)).toBeTruthy();
  expect(calls()).toEqual([]);
});

test("a link for a group names that group, and is paused while its owner is in another one", async () => {
  const link = shareOf("s", { audience: "group", group: "Staff", isPaused: true });
  await open(shareListOf([link], { audiences: ["signed-in", "group"], group: "7b" }));
  const [row] = screen.getAllByRole("listitem");
  expect(row?.textContent).toContain("My group: Staff");
  expect(row?.textContent).toContain("Paused: you are not in the group of this link.");
});

test("the links to the chat are listed with who can open them, until when, and how often they were opened", async () => {
  const expiresAt = CREATED_AT + 86_400_000;
  const link = shareOf("s", { audience: "anyone", visits: 3, expiresAt });
  const unknown = shareOf("u", { url: null });
  await open(shareListOf([link, unknown, shareOf("other", { chatId: "b" })]));
  const [first, second, ...others] = screen.getAllByRole("listitem");
  expect(others).toEqual([]);
  expect(first?.textContent).toMatch(/^Anybody with the linkCreated Nov 3, 2026.* · Expires Nov 4, 2026.* · 3 visits/);
  expect(second?.textContent).toContain("can no longer be shown");
  expect(within(second as HTMLElement).queryByRole("button", { name: /^Copy/ })).toBeNull();
  await act(async () => void fireEvent.click(within(first as HTMLElement).getByRole("button", { name: /^Copy/ })));
  expect(clipboard.writeText.mock.calls).toEqual([["https://parley.example/s/s"]]);
});

test("a link is updated with its own choices, and its address stays", async () => {
  const options = { ...usual, author: true };
  const expiresAt = CREATED_AT + 7 * 86_400_000;
  const link = shareOf("s", { audience: "anyone", options, expiresAt });
  const calls = await open(shareListOf([link]), {
    "POST /shares/d2/publication": { json: { ...link, createdAt: CREATED_AT + 5 } },
  });
  await waitFor(() => expect(previewText()).toContain("words of d1"));
  await press(/^Update the link of/);
  expect(document.activeElement?.textContent).toMatch(/^Update the link of Nov 3, 2026/);
  await waitFor(() => expect(previewText()).toContain("words of d2"));
  await press("Update link");
  expect(calls().slice(1)).toEqual([
    ["POST /chat/a/shares", options],
    ["POST /shares/d2/publication", { audience: "anyone", days: 7, replaces: "s" }],
  ]);
  expect(await screen.findByText("Link updated")).toBeTruthy();
  expect(onShared.mock.calls).toEqual([[true]]);
});

test("a preview reads pictures from the link after its draft became one, without being built again", async () => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:1");
  const link = shareOf("s");
  const page = pageOf("words of d2");
  const picture = { position: 0, name: "sea.png", kind: "picture" as const, size: 5 };
  page.page.messages[0] = { role: "user", createdAt: CREATED_AT, body: [], files: [picture] };
  await open(shareListOf([link]), {
    "GET /shares/d2/page": { json: page },
    "POST /shares/d2/publication": { json: link },
    "GET /shares/d2/files/0": problem(404, "not-found"),
    "GET /shares/s/files/0": { text: "pixel" },
  });
  await waitFor(() => expect(previewText()).toContain("words of d1"));
  await press(/^Update the link of/);
  await waitFor(() => expect(previewText()).toContain("sea.png"));
  const shadow = frame()?.firstElementChild?.shadowRoot;
  const shown = shadow?.firstElementChild;
  await press("Update link");
  expect(await screen.findByText("Link updated")).toBeTruthy();
  expect(shadow?.firstElementChild).toBe(shown);
  fireEvent(window, new Event("beforeprint"));
  await waitFor(() => expect(shadow?.querySelector("img")?.alt).toBe("sea.png"));
});

test("a revoked link leaves the list after a question, and the chat is not marked any more", async () => {
  const calls = await open(shareListOf([shareOf("s")]), {
    "DELETE /shares/s": () => new Response(null, { status: 204 }),
  });
  await press(/^Revoke the link of/);
  await act(async () => void fireEvent.click(within(screen.getByRole("alertdialog")).getByText("Revoke")));
  await waitFor(() => expect(screen.queryByText("Links to this chat")).toBeNull());
  expect(calls().at(-1)?.[0]).toBe("DELETE /shares/s");
  expect(currentNotifications().map(({ text }) => text)).toEqual(["The link was revoked."]);
  expect(onShared.mock.calls).toEqual([[true], [false]]);
});

test("a link that cannot be revoked stays in the list, with the reason", async () => {
  await open(shareListOf([shareOf("s")]), { "DELETE /shares/s": problem(503, "unavailable") });
  await press(/^Revoke the link of/);
  await act(async () => void fireEvent.click(within(screen.getByRole("alertdialog")).getByText("Revoke")));
  await waitFor(() => expect(currentNotifications().map(({ type }) => type)).toEqual(["error"]));
  expect(button(/^Revoke the link of/).getAttribute("aria-disabled")).toBeNull();
});

test.each([
  ["nothing-to-share", 409, "There is nothing in this chat yet that could be shared."],
  ["share-too-large", 413, "This chat is too large for a link. You can export it instead."],
  ["sharing-off", 403, "Your account cannot share chats by links. Please ask an administrator."],
])("%s takes the place of the preview, and no link can be created", async (code, status, sentence) => {
  await open(shareListOf([]), { "POST /chat/a/shares": problem(status, code) });
  await waitFor(() => expect(alertText()).toBe(sentence));
  expect(frame()).toBeNull();
  expect(button("Create link").getAttribute("aria-disabled")).toBe("true");
});

test("a draft that is gone is rendered again, and the person is asked to check it", async () => {
  const calls = await open(shareListOf([]), {
    "POST /shares/d1/publication": problem(404, "not-found"),
    ...published("d2"),
  });
  await waitFor(() => expect(previewText()).toContain("words of d1"));
  await press("Create link");
  await waitFor(() => expect(previewText()).toContain("words of d2"));
  expect(alertText()).toMatch(/^The preview had expired and was rendered again/);
  await press("Create link");
  expect(await screen.findByText("Link created")).toBeTruthy();
  expect(calls().map(([call]) => call)).toEqual([
    "POST /chat/a/shares",
    "POST /shares/d1/publication",
    "POST /chat/a/shares",
    "POST /shares/d2/publication",
  ]);
});

test("the limit of links is reported at the button, and the form stays", async () => {
  await open(shareListOf([]), { "POST /shares/d1/publication": problem(400, "too-many-shares") });
  await waitFor(() => expect(previewText()).toContain("words of d1"));
  await press("Create link");
  await waitFor(() => expect(alertText()).toMatch(/^You have reached the limit of links/));
  expect(button("Create link").getAttribute("aria-disabled")).toBeNull();
});

test("a failed preview is rendered again by its button", async () => {
  await open(shareListOf([]), {
    "POST /chat/a/shares": [problem(503, "unavailable"), { status: 201, json: shareDraftOf("d1") }],
  });
  await waitFor(() => expect(alertText()).not.toBeNull());
  await press("Refresh the preview");
  await waitFor(() => expect(previewText()).toContain("words of d1"));
  expect(alertText()).toBeNull();
});

test("links that could not be loaded are loaded again on request", async () => {
  await open(shareListOf([]), { "GET /shares": [problem(500, "internal"), { json: shareListOf([]) }] });
  expect(alertText()).toMatch(/^Your links could not be loaded/);
  await press("Try again");
  expect(await screen.findByRole("button", { name: "Create link" })).toBeTruthy();
});

test("a reply that is being written is said to be shared as far as the preview shows it", async () => {
  await open(shareListOf([]), {}, true);
  expect(screen.getByText(/^An answer is being written/)).toBeTruthy();
});
