import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { Provider } from "react-redux";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ModelOption } from "#contract/models/models.ts";
import { loadAuthConfig } from "../../accounts/auth-config.ts";
import { signIn, signOut } from "../../accounts/session/session.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import "../../testing/english-texts.ts";
import { ada, type FakeCall, fakeApi, tokenFor } from "../../testing/fakes/fake-api.ts";
import { type FakeUpload, fakeUploads } from "../../testing/fakes/fake-uploads.ts";
import { closeNotification, currentNotifications } from "../../ui/notifications/notify.ts";
import { ChatSessionContext } from "../chat-session.ts";
import { Composer } from "../composer/composer.tsx";
import { Draft } from "../draft.ts";
import { openStoredSession } from "../stored-session.ts";

const config = {
  ...{ productName: "Parley", passwordMin: 8, passwordPolicy: "plain", registrationOpen: true },
  maxMessageChars: 11_000,
};
const model = (value: string, more: Partial<ModelOption> = {}): ModelOption => ({
  ...{ value, label: value, available: true },
  ...more,
});

let calls: FakeCall[] = [];
let uploads: FakeUpload[] = [];

beforeEach(() => {
  localStorage.clear();
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:preview");
  vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
});
afterEach(async () => {
  cleanup();
  for (const { id } of currentNotifications()) closeNotification(id);
  await signOut();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

type Options = { files?: object | undefined; models?: ModelOption[]; draft?: Draft };

async function open(options: Options = {}) {
  const { files = { maxBytes: 1000, maxPerMessage: 3 }, models = [], draft } = options;
  uploads = fakeUploads();
  calls = fakeApi({
    "GET /auth/config": { json: "files" in options && !options.files ? config : { ...config, files } },
    "GET /models": { json: [{ label: "Models", models }] },
    "POST /auth/logout": { status: 204, text: "" },
    "POST /chat/a/send?stream=1": () => new Promise(() => {}),
  });
  await loadAuthConfig();
  signIn({ access_token: tokenFor(ada.id), user: ada, emailVerified: true });
  const session = openStoredSession(ada.id);
  const chat = { id: "a", title: "A", updatedAt: 0, messages: [] };
  session.store.dispatch(chatEvents.createChatSuccess({ chat }));
  session.store.dispatch(chatEvents.loadChatSuccess({ chat }));
  if (draft) session.drafts.set("a", draft);
  await session.modelChoice.load();
  render(
    <ChatSessionContext value={session}>
      <Provider store={session.store}>
        <MemoryRouter>
          <Composer chat="a" isWaiting={false} isWriting={false} canRest={false} />
        </MemoryRouter>
      </Provider>
    </ChatSessionContext>,
  );
  await act(() => vi.dynamicImportSettled());
  return session;
}

const file = (name: string, type = "text/plain", size = 10) => new File(["x".repeat(size)], name, { type });
const box = () => screen.getByRole("textbox");
const picker = () => document.querySelector<HTMLInputElement>("input[type=file]");
const send = () => screen.getByRole<HTMLButtonElement>("button", { name: "Send" });
const row = () => screen.findByRole("list", { name: "Attached files" });
const names = async () => {
  const buttons = within(await row()).getAllByRole("button", { name: /^Remove/ });
  return buttons.map((each) => each.getAttribute("aria-label"));
};

async function choose(...files: File[]) {
  const input = picker();
  if (!input) throw new Error("There is no picker");
  Object.defineProperty(input, "files", { configurable: true, value: files });
  await act(async () => void fireEvent.change(input));
  await act(() => vi.dynamicImportSettled());
}

async function finish(upload: FakeUpload | undefined) {
  if (!upload) throw new Error("No upload has begun");
  const id = upload.path.split("/").at(-1);
  const { name, type, size } = upload;
  await act(async () => upload.answer(200, { stored: size, file: { id, name, type: type || "text/plain", size } }));
}
const started = (count: number) => waitFor(() => expect(uploads).toHaveLength(count));
const sent = () => calls.filter(({ path }) => path.startsWith("/chat/a/send")).map(({ body }) => body);

describe("the ways to attach files", () => {
  test("chosen files are uploaded and listed above the text", async () => {
    await open();
    expect(picker()?.accept).toContain(".docx");
    expect(picker()?.multiple).toBe(true);
    await choose(file("a.txt"), file("b.md"));
    expect(await names()).toEqual(["Remove a.txt", "Remove b.md"]);
    await started(2);
    expect(uploads.map(({ name }) => name)).toEqual(["a.txt", "b.md"]);
  });

  test("the button and its key open the file picker, the key not over a dialog", async () => {
    await open();
    // happy-dom takes any Alt key for AltGr.
    vi.spyOn(KeyboardEvent.prototype, "getModifierState").mockReturnValue(false);
    const opened = vi.spyOn(HTMLInputElement.prototype, "click").mockImplementation(() => {});
    fireEvent.click(screen.getByRole("button", { name: "Attach files" }));
    expect(opened).toHaveBeenCalledTimes(1);
    expect(fireEvent.keyDown(box(), { key: "a", altKey: true })).toBe(false);
    expect(opened).toHaveBeenCalledTimes(2);
    const dialog = document.body.appendChild(document.createElement("div"));
    dialog.setAttribute("role", "dialog");
    fireEvent.keyDown(box(), { key: "a", altKey: true });
    dialog.remove();
    expect(opened).toHaveBeenCalledTimes(2);
  });

  test("pasted files are attached; text is left to the box, also beside a picture", async () => {
    await open();
    const paste = (text: string, ...files: File[]) =>
      fireEvent.paste(box(), { clipboardData: { files, getData: () => text, types: [] } });
    expect(paste("words")).toBe(true);
    expect(paste("a\tb", file("cells.png", "image/png"))).toBe(true);
    expect(screen.queryByRole("list")).toBeNull();
    expect(paste("", file("notes.txt"))).toBe(false);
    expect(await names()).toEqual(["Remove notes.txt"]);
  });

  test("a long pasted text becomes a file, which Paste as text replaces by the words where they were pasted", async () => {
    await open({ files: { maxBytes: 100_000, maxPerMessage: 3 } });
    fireEvent.change(box(), { target: { value: "Sum up:  Thanks." } });
    const area = box() as HTMLTextAreaElement;
    area.setSelectionRange(8, 8);
    const words = "word ".repeat(2001);
    expect(fireEvent.paste(area, { clipboardData: { files: [], getData: () => words, types: [] } })).toBe(false);
    expect(await names()).toEqual(["Remove pasted-text.txt"]);
    const [offer] = currentNotifications();
    expect([offer?.text, offer?.action?.label]).toEqual([
      "The long pasted text became a file: pasted-text.txt",
      "Paste as text",
    ]);
    await act(async () => offer?.action?.run());
    await waitFor(() => expect(area.value).toBe(`Sum up: ${words} Thanks.`));
    expect(screen.queryByRole("list")).toBeNull();
  });

  test.each([
    ["Remove pasted-text.txt", { status: 409, code: "quota-reached" }],
    ["Remove failed", { status: 409, code: "quota-reached" }],
    ["the refusal of its kind", { status: 415, code: "file-type" }],
  ])("the words of a long paste that failed return to the box by %s, at any time", async (by, { status, code }) => {
    await open({ files: { maxBytes: 100_000, maxPerMessage: 3 } });
    fireEvent.change(box(), { target: { value: "Sum up:" } });
    const words = "word ".repeat(2001).trim();
    fireEvent.paste(box(), { clipboardData: { files: [], getData: () => words, types: [] } });
    await row();
    await started(1);
    for (const { id } of currentNotifications()) closeNotification(id);
    await act(async () => uploads[0]?.answer(status, { detail: "No.", error: "No.", code }));
    if (status === 409) {
      expect(await screen.findByText(/Remove the files that failed/)).toBeTruthy();
      fireEvent.click(screen.getByRole("button", { name: by }));
    }
    await waitFor(() => expect((box() as HTMLTextAreaElement).value).toBe(`Sum up:\n\n${words}`));
    expect(screen.queryByRole("list")).toBeNull();
  });

  test("a chosen file with the name of a pasted text that failed leaves the box empty when it is removed", async () => {
    await open({ files: { maxBytes: 100_000, maxPerMessage: 3 } });
    fireEvent.paste(box(), { clipboardData: { files: [file("pasted-text.txt")], getData: () => "", types: [] } });
    await row();
    await started(1);
    await act(async () => uploads[0]?.answer(409, { detail: "No.", error: "No.", code: "quota-reached" }));
    expect(await screen.findByText(/Remove the files that failed/)).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Remove pasted-text.txt" }));
    await waitFor(() => expect(screen.queryByRole("list")).toBeNull());
    expect((box() as HTMLTextAreaElement).value).toBe("");
  });

  test("a text longer than a message can be is not sent, and its length is shown with the limit", async () => {
    await open();
    fireEvent.change(box(), { target: { value: "x".repeat(12_000) } });
    await act(() => vi.dynamicImportSettled());
    expect(screen.getByRole("alert").textContent).toBe(
      "This message has 12,000 characters. At most 11,000 can be sent.",
    );
    expect(send().disabled).toBe(true);
    fireEvent.keyDown(box(), { key: "Enter" });
    fireEvent.change(box(), { target: { value: "x".repeat(11_000) } });
    expect([screen.queryByRole("alert"), send().disabled, sent()]).toEqual([null, false, []]);
  });

  test("files that are dropped anywhere are attached, and a folder among them is refused in words", async () => {
    await open();
    const item = (each: File, isDirectory = false) => ({
      ...{ kind: "file", getAsFile: () => each },
      webkitGetAsEntry: () => ({ isDirectory }),
    });
    const dataTransfer = { types: ["Files"], items: [item(file("a.txt")), item(file("b"), true)], dropEffect: "" };
    box().focus();
    await act(async () => void fireEvent.dragEnter(document.body, { dataTransfer }));
    await act(() => vi.dynamicImportSettled());
    expect(await screen.findByText("Drop files to attach them")).toBeTruthy();
    expect(document.activeElement).toBe(box());
    await act(async () => void fireEvent.drop(document.body, { dataTransfer }));
    expect(screen.queryByText("Drop files to attach them")).toBeNull();
    expect(await names()).toEqual(["Remove a.txt"]);
    expect(currentNotifications().map(({ text }) => text)).toEqual([
      "Folders cannot be attached. Please choose the files in them.",
    ]);
  });

  test("one message names the files that can never be sent with the reason; the others are attached", async () => {
    await open();
    const large = file("large.txt", "text/plain", 1001);
    const program = new File(["MZ\0"], "program.exe");
    const empty = file("empty.txt", "text/plain", 0);
    await choose(file("a.txt"), empty, program, large, file("b.txt"), file("c.txt"), file("d.txt"));
    expect(await names()).toEqual(["Remove a.txt", "Remove b.txt", "Remove c.txt"]);
    expect(currentNotifications().map(({ text }) => text.split("\n"))).toEqual([
      [
        "Not attached:",
        "empty.txt: This file is empty.",
        expect.stringMatching(/^program\.exe: Files of this kind cannot be attached\./),
        "large.txt: over 1 kB",
        "d.txt: at most 3 files in a message",
      ],
    ]);
    expect(send().disabled).toBe(false);
  });

  test("no way to attach files exists if the server has attachments off", async () => {
    await open({ files: undefined });
    expect(screen.queryByRole("button", { name: "Attach files" })).toBeNull();
    expect(picker()).toBeNull();
    const clipboardData = { files: [file("a.txt")], getData: () => "", types: [] };
    expect(fireEvent.paste(box(), { clipboardData })).toBe(true);
    await act(() => vi.dynamicImportSettled());
    expect(screen.queryByRole("list")).toBeNull();
  });
});

describe("sends of a message with files", () => {
  test("a message waits for its uploads, shows so, and is sent with the files even without text", async () => {
    await open();
    await choose(file("a.txt"), file("b.txt"));
    await started(2);
    fireEvent.click(send());
    expect(await screen.findByText(/Waiting for 2 files/)).toBeTruthy();
    expect(send().disabled).toBe(true);
    await finish(uploads[0]);
    expect(screen.getByText(/Waiting for one file/)).toBeTruthy();
    expect(sent()).toEqual([]);
    await finish(uploads[1]);
    const ids = uploads.map(({ path }) => path.split("/").at(-1));
    await waitFor(() => expect(sent()).toEqual([{ message: "", files: ids, parent: null }]));
    expect(screen.queryByRole("list", { name: "Attached files" })).toBeNull();
  });

  test("a message that waits for its uploads can be cancelled, and stays in its box", async () => {
    await open();
    fireEvent.change(box(), { target: { value: "Look" } });
    await choose(file("a.txt"));
    await started(1);
    fireEvent.click(send());
    fireEvent.click(await screen.findByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByText(/Waiting for/)).toBeNull());
    await finish(uploads[0]);
    expect(sent()).toEqual([]);
    expect(box()).toHaveProperty("value", "Look");
    expect(send().disabled).toBe(false);
  });

  test("a message is not sent while a file has failed, and Send is disabled with the reason", async () => {
    await open();
    await choose(file("a.txt"), file("b.txt"));
    await started(2);
    fireEvent.click(send());
    await act(async () => uploads[0]?.answer(409, { detail: "No", error: "No", code: "quota-reached" }));
    expect(await screen.findByText(/Remove the files that failed/)).toBeTruthy();
    expect((await row()).textContent).toContain("as large as it can be");
    expect([send().disabled, send().dataset.tooltip]).toEqual([
      true,
      "Remove the files that failed, or try them again, to send this message.",
    ]);
    fireEvent.keyDown(box(), { key: "Enter" });
    expect(screen.queryByText(/Waiting for/)).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Remove failed" }));
    expect([await names(), send().disabled, currentNotifications()]).toEqual([["Remove b.txt"], false, []]);
    expect(sent()).toEqual([]);
  });

  test("a message whose file turns out to be of no kind that can be sent stays in its box, without the file", async () => {
    await open();
    fireEvent.change(box(), { target: { value: "Look" } });
    await choose(file("a.txt"));
    await started(1);
    fireEvent.click(send());
    await act(async () => uploads[0]?.answer(415, { detail: "No", error: "No", code: "file-type" }));
    await waitFor(() => expect(currentNotifications()[0]?.text).toContain("a.txt: Files of this kind"));
    expect(screen.queryByRole("list", { name: "Attached files" })).toBeNull();
    expect([box(), send()]).toMatchObject([{ value: "Look" }, { disabled: false }]);
    expect(sent()).toEqual([]);
  });
});

describe("models that do not read the files", () => {
  const models = [model("X:blind"), model("X:seeing", { images: true })];
  const draft = new Draft("", [
    { id: "11111111-2222-4333-8444-555555555555", name: "a.png", type: "image/png", size: 1 },
  ]);

  test("a model that does not read the files is named, and those that do are offered", async () => {
    const session = await open({ models, draft });
    act(() => session.modelChoice.choose("X:blind"));
    expect(await screen.findByText("X:blind does not see pictures.")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Use X:seeing" }));
    expect(session.modelChoice.current().value).toBe("X:seeing");
    expect(screen.queryByText(/does not see/)).toBeNull();
  });

  test("automatic choice shows no warning about files that another model reads", async () => {
    await open({ models, draft });
    await row();
    expect(screen.queryByText(/see pictures/)).toBeNull();
  });

  test("automatic choice warns about files that no model reads", async () => {
    await open({ models: [{ ...model("X:blind"), automatic: 0 }], draft });
    expect(await screen.findByText("Automatic choice has no model that sees pictures.")).toBeTruthy();
  });
});
