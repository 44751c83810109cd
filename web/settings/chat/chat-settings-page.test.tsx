import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { Drafts } from "../../conversation/stored-drafts.ts";
import { ada, type FakeAnswer, type FakeCall, problem } from "../../testing/fakes/fake-api.ts";
import { done, eachTestAlone, field, openSettings, press, type } from "../../testing/open-settings.tsx";

eachTestAlone();

const RESTORED = "This draft from an earlier visit is not saved yet.";
const CHANGED = "Your instructions were changed in another tab or on another device. The text shown here is not saved.";
const INSTRUCTIONS = "Your instructions";
const SAVE = `PUT ${conversationPaths.instructions}`;
const unavailable = problem(503, "unavailable");

const open = async (instructions: string, answers: Parameters<typeof openSettings>[1] = {}) => {
  const sent = await openSettings("chat", {
    [`GET ${conversationPaths.instructions}`]: { json: { instructions } },
    [`GET ${conversationPaths.presets}`]: { json: [] },
    [`GET ${modelPaths.models}`]: { json: [] },
    [SAVE]: unavailable,
    ...answers,
  });
  await screen.findByRole("textbox", { name: INSTRUCTIONS });
  return sent;
};
const box = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: INSTRUCTIONS });
const write = (value: string) => fireEvent.input(box(), { target: { value } });
const leave = () => act(async () => cleanup());

test("unsaved instructions are restored with a note and then saved", async () => {
  await open("Old");
  write("New words");
  await leave();
  await open("Old");
  expect(box().value).toBe("New words");
  expect(screen.getByText(RESTORED)).toBeTruthy();
  await leave();
  const sent = await open("Old", { [SAVE]: done });
  expect(sent()).toEqual([[SAVE, { instructions: "New words" }]]);
  expect(new Drafts(ada.id).hasAny()).toBe(false);
  await press("Undo");
  expect(box().value).toBe("Old");
});

test("instructions that are too long to be saved are stored locally, until the sign-out deletes them", async () => {
  const long = "x".repeat(8001);
  await open("");
  write(long);
  await leave();
  expect(new Drafts(ada.id).hasAny()).toBe(true);
  await open("");
  expect(box().value).toBe(long);
  await leave();
  new Drafts(ada.id).clear();
  await open("");
  expect(box().value).toBe("");
});

describe("unsaved instructions after others were saved elsewhere", () => {
  const openHeld = async () => {
    await open("Old");
    write("New words");
    await leave();
    return open("From elsewhere", { [SAVE]: done });
  };
  const focusAndBlur = async () => {
    await act(async () => box().focus());
    await act(async () => box().blur());
  };

  test("unsaved instructions are shown with a note, and not saved by opening, focusing or leaving the field", async () => {
    const sent = await openHeld();
    await focusAndBlur();
    expect(sent()).toEqual([]);
    expect(box().value).toBe("New words");
    expect(screen.getByText(CHANGED)).toBeTruthy();
    expect(screen.queryByText(RESTORED)).toBeNull();
    await leave();
    expect(sent()).toEqual([]);
    expect(new Drafts(ada.id).hasAny()).toBe(true);
  });

  test("unsaved instructions are saved by a button, after which Undo restores the other text", async () => {
    const sent = await openHeld();
    await press("Save this text");
    expect(document.activeElement).toBe(box());
    await focusAndBlur();
    expect(sent()).toEqual([[SAVE, { instructions: "New words" }]]);
    expect(screen.queryByText(CHANGED)).toBeNull();
    expect(new Drafts(ada.id).hasAny()).toBe(false);
    await press("Undo");
    expect(box().value).toBe("From elsewhere");
  });

  test("unsaved instructions are replaced by a button, after which Undo restores and saves them", async () => {
    const sent = await openHeld();
    await press("Use the other text");
    expect(box().value).toBe("From elsewhere");
    expect(screen.queryByText(CHANGED)).toBeNull();
    expect(new Drafts(ada.id).hasAny()).toBe(false);
    expect(sent()).toEqual([]);
    await press("Undo");
    expect(box().value).toBe("New words");
    await leave();
    expect(sent()).toEqual([[SAVE, { instructions: "New words" }]]);
  });

  test("unsaved instructions are saved once they are edited, and Undo restores the other text", async () => {
    const sent = await openHeld();
    write("New words!");
    expect(screen.queryByText(CHANGED)).toBeNull();
    fireEvent.blur(box());
    await screen.findByText("Saved");
    expect(sent()).toEqual([[SAVE, { instructions: "New words!" }]]);
    await press("Undo");
    expect(box().value).toBe("From elsewhere");
  });
});

test("instructions are not held because this page saved an older version of them", async () => {
  const first = Promise.withResolvers<Response>();
  const gone = await open("A", { [SAVE]: [() => first.promise, unavailable] });
  write("Ab");
  fireEvent.blur(box());
  write("Abc");
  await act(async () => first.resolve(new Response(null, { status: 204 })));
  expect(gone()).toEqual([
    [SAVE, { instructions: "Ab" }],
    [SAVE, { instructions: "Abc" }],
  ]);
  await leave();
  const sent = await open("Ab", { [SAVE]: done });
  expect(box().value).toBe("Abc");
  expect(sent()).toEqual([[SAVE, { instructions: "Abc" }]]);
});

describe("instructions changed while an older version is being saved", () => {
  /** Opens the page, starts to save "Ab" and types `text` meanwhile. The first save ends by `answer` or its abort. */
  const changeDuringSave = async (text: string) => {
    const calls: FakeCall[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const first: FakeAnswer = (call) => {
      calls.push(call);
      call.signal?.addEventListener("abort", () => reject(call.signal?.reason));
      return promise;
    };
    const sent = await open("A", { [SAVE]: [first, done] });
    write("Ab");
    fireEvent.blur(box());
    write(text);
    const texts = () => sent().map(([, body]) => (body as { instructions: string }).instructions);
    return { texts, answer: resolve, isAborted: () => calls[0]?.signal?.aborted };
  };
  const unload = () => act(async () => window.dispatchEvent(new Event("pagehide")));

  test("newer instructions replace the older ones when the page is unloaded", async () => {
    const { texts, isAborted } = await changeDuringSave("Abc");
    await unload();
    expect([texts(), isAborted()]).toEqual([["Ab", "Abc"], true]);
    expect(screen.getByText("Saved")).toBeTruthy();
    expect(new Drafts(ada.id).hasAny()).toBe(false);
  });

  test("instructions are sent even if they are those from before, as the server may have the older ones", async () => {
    const { texts } = await changeDuringSave("A");
    await unload();
    expect(texts()).toEqual(["Ab", "A"]);
  });

  test("newer instructions that are too long do not stop the save of the older ones", async () => {
    const { texts, isAborted } = await changeDuringSave("x".repeat(8001));
    await unload();
    expect([texts(), isAborted()]).toEqual([["Ab"], false]);
  });

  test("newer instructions are saved after the older ones when only the settings are left", async () => {
    const { texts, answer, isAborted } = await changeDuringSave("Abc");
    await leave();
    expect(texts()).toEqual(["Ab"]);
    await act(async () => answer(new Response(null, { status: 204 })));
    expect([texts(), isAborted()]).toEqual([["Ab", "Abc"], false]);
    expect(new Drafts(ada.id).hasAny()).toBe(false);
  });

  test("newer instructions are saved when the page is opened again, if the server has the older ones", async () => {
    await changeDuringSave("Abc");
    await leave();
    const sent = await open("Ab", { [SAVE]: done });
    expect(box().value).toBe("Abc");
    expect(sent()).toEqual([[SAVE, { instructions: "Abc" }]]);
  });
});

test("a running save of the newest instructions continues when the page is unloaded", async () => {
  const hasKeepalive: unknown[] = [];
  const sent = await open("A", { [SAVE]: () => new Promise<Response>(() => {}) });
  const send = fetch;
  vi.stubGlobal("fetch", (url: string, init: RequestInit) => {
    hasKeepalive.push(init.keepalive);
    return send(url, init);
  });
  write("Ab");
  fireEvent.blur(box());
  await act(async () => window.dispatchEvent(new Event("pagehide")));
  expect([sent(), hasKeepalive]).toEqual([[[SAVE, { instructions: "Ab" }]], [true]]);
});

test("an unsaved preset is restored after its dialog was closed, but not after Cancel", async () => {
  await open("");
  await press("New preset");
  type("Name", "Poet");
  type("Instructions", "Answer in rhymes.");
  await act(async () => fireEvent.keyDown(screen.getByRole("dialog"), { key: "Escape" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  await press("New preset");
  expect([field("Name").value, field("Instructions").value]).toEqual(["Poet", "Answer in rhymes."]);
  expect(screen.getByText(RESTORED)).toBeTruthy();
  await press("Cancel");
  await press("New preset");
  expect(field("Name").value).toBe("");
  expect(localStorage.getItem(`draft:${ada.id}:form:preset:new`)).toBeNull();
});

test("the list of presets shows the model, the effort and the tools of a preset", async () => {
  const model = { label: "gpt-5", value: "GPT:gpt-5", available: true, efforts: ["low", "high"] };
  const guidance = { model: model.value, temperature: null, effort: "low", tools: ["web"] };
  const preset = { id: "p", name: "Quick", instructions: "", ...guidance };
  await open("", {
    [`GET ${conversationPaths.presets}`]: { json: [preset] },
    [`GET ${modelPaths.models}`]: { json: [{ label: "GPT", models: [model] }] },
  });
  const line = (await screen.findByText("Edit Quick")).closest("li");
  expect(line?.textContent).toContain("gpt-5 · Thinking effort: Low · Search the web");
});
