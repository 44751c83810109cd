import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { Drafts } from "../../conversation/stored-drafts.ts";
import { notifyPresetsChanged } from "../../presets/presets-changes.ts";
import { ada, type FakeAnswer, problem } from "../../testing/fakes/fake-api.ts";
import { done, eachTestAlone, openSettings, press } from "../../testing/open-settings.tsx";

eachTestAlone();

const unavailable = problem(503, "unavailable");
const SAVE = `PUT ${conversationPaths.instructions}`;
const box = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Your instructions" });
const write = (value: string) => fireEvent.input(box(), { target: { value } });
const CHANGED = /changed in another tab or on another device/;

/** Opens the page; the second read returns `other`. */
const openTwice = async (other: string, saving: FakeAnswer[]) => {
  const sent = await openSettings("chat", {
    "GET /instructions": [{ json: { instructions: "Old" } }, { json: { instructions: other } }],
    "GET /presets": { json: [] },
    "GET /models": { json: [] },
    [SAVE]: saving,
  });
  await screen.findByDisplayValue("Old");
  return sent;
};

/** Opens the page and makes an edit that cannot be saved. */
const openUnsaved = async (other: string) => {
  const sent = await openTwice(other, [unavailable, done]);
  write("Mine");
  fireEvent.blur(box());
  await screen.findByText("This is not saved yet.");
  return sent;
};

test("instructions that were changed elsewhere are shown", async () => {
  await openSettings("chat", {
    "GET /instructions": [{ json: { instructions: "Old" } }, { json: { instructions: "New" } }],
    "GET /presets": { json: [] },
    "GET /models": { json: [] },
  });
  await waitFor(() => expect(screen.getByDisplayValue("Old")).toBeTruthy());
  act(() => notifyPresetsChanged());
  await waitFor(() => expect(screen.getByDisplayValue("New")).toBeTruthy());
});

test("instructions that were changed elsewhere are not overwritten by an unsaved edit", async () => {
  const sent = await openUnsaved("New");
  act(() => notifyPresetsChanged());
  await screen.findByText(CHANGED);
  expect(box().value).toBe("Mine");
  fireEvent.blur(box());
  await act(async () => cleanup());
  expect(sent()).toEqual([[SAVE, { instructions: "Mine" }]]);
});

test("instructions that were changed elsewhere are restored by Undo after further edits", async () => {
  const sent = await openUnsaved("New");
  act(() => notifyPresetsChanged());
  await screen.findByText(CHANGED);
  write("Mine!");
  fireEvent.blur(box());
  await screen.findByText("Saved");
  expect(sent()[1]).toEqual([SAVE, { instructions: "Mine!" }]);
  await press("Undo");
  expect(box().value).toBe("New");
});

test("edited instructions count as saved if the server has them, although its response was lost", async () => {
  const sent = await openUnsaved("Mine");
  act(() => notifyPresetsChanged());
  await waitFor(() => expect(screen.queryByText("This is not saved yet.")).toBeNull());
  expect(screen.queryByText(CHANGED)).toBeNull();
  expect(new Drafts(ada.id).hasAny()).toBe(false);
  fireEvent.blur(box());
  expect(sent()).toHaveLength(1);
});

test("an edit of instructions that is taken back is overwritten on the server after a lost response", async () => {
  const sent = await openUnsaved("Mine");
  write("Old");
  fireEvent.blur(box());
  await screen.findByText("Saved");
  expect(sent()[1]).toEqual([SAVE, { instructions: "Old" }]);
  expect(new Drafts(ada.id).hasAny()).toBe(false);
});

describe("instructions that were changed elsewhere during a save", () => {
  const changeDuringSave = async () => {
    const saved = Promise.withResolvers<Response>();
    const sent = await openTwice("New", [() => saved.promise, done]);
    write("Mine");
    fireEvent.blur(box());
    act(() => notifyPresetsChanged());
    await screen.findByText(CHANGED);
    return { saved, sent };
  };

  test("instructions changed elsewhere during a save are not overwritten later if the save fails", async () => {
    const { saved, sent } = await changeDuringSave();
    await act(async () => saved.reject(new TypeError("Failed to fetch")));
    fireEvent.blur(box());
    await act(async () => cleanup());
    expect(sent()).toEqual([[SAVE, { instructions: "Mine" }]]);
  });

  test("instructions changed elsewhere during a save are replaced if it succeeds", async () => {
    const { saved } = await changeDuringSave();
    await act(async () => saved.resolve(new Response(null, { status: 204 })));
    await screen.findByText("Saved");
    expect(screen.queryByText(CHANGED)).toBeNull();
    expect(box().value).toBe("Mine");
  });
});
