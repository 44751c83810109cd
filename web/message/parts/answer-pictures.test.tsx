import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { MessagePart } from "#contract/conversation/parts.ts";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import { pictures } from "../../files/shown/pictures.ts";
import { Store } from "../../store/store.ts";
import "../../testing/english-texts.ts";
import { fakeApi } from "../../testing/fakes/fake-api.ts";
import { fakeObservers } from "../../testing/fakes/fake-observers.ts";
import { AnswerWords } from "../answer-words.tsx";
import { MessageContext } from "../message-context.ts";
import { richReplyModule } from "../reply-body.tsx";
import { useShownParts } from "./parts-module.tsx";

let near: ReturnType<typeof fakeObservers>;
let urls = 0;
beforeEach(async () => {
  near = fakeObservers();
  urls = 0;
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(400);
  vi.spyOn(URL, "createObjectURL").mockImplementation(() => `blob:${++urls}`);
  vi.spyOn(URL, "revokeObjectURL").mockImplementation(() => {});
  await richReplyModule.load();
});
afterEach(() => {
  cleanup();
  pictures.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const picture = (seq: number, at: number): MessagePart => ({
  ...{ seq, at, kind: "file", id: `p${seq}`, name: `picture-${seq + 1}.png`, type: "image/png", size: 100 },
  ...{ width: 1024, height: 1024 },
});

function Answer({ message }: { message: ClientMessage }) {
  return <AnswerWords message={message} parts={useShownParts(message)} />;
}

async function show(content: string, parts: MessagePart[], more: Partial<ClientMessage> = {}) {
  fakeApi({ "GET /files/p0": { text: "x" }, "GET /files/p1": { text: "y" }, "GET /files/p2": { text: "z" } });
  const message: ClientMessage = {
    ...{ key: "m", id: "r1", role: "assistant", content, state: "complete", loading: false, parts },
    ...more,
  };
  render(
    <MessageContext value={{ chat: "a", models: { state: new Store({ groups: [] }) }, memory: { get: vi.fn() } }}>
      <Answer message={message} />
    </MessageContext>,
  );
  await act(async () => {});
}

const scrollNear = () =>
  act(() => {
    for (const report of near.values()) report(true);
  });

describe("pictures of an answer", () => {
  test("the pictures of an answer stand at their positions, with a text for those who do not see them", async () => {
    await show("First words.\n\nLast words.", [picture(0, 0), picture(1, 12), picture(2, 12)]);
    const lists = await screen.findAllByRole("list", { name: "Pictures of the answer" });
    expect(lists).toHaveLength(2);
    scrollNear();
    const [above, between] = lists;
    if (!above || !between) throw new Error("A list is missing");
    expect(await within(above).findByAltText("Picture of the answer: picture-1.png")).toBeDefined();
    expect(
      within(between)
        .getAllByRole("button")
        .map((button) => button.getAttribute("aria-label")),
    ).toEqual(["Enlarge picture-2.png", "Enlarge picture-3.png"]);
    const order = (a: Node, b: Node) => a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING;
    const [first, last] = [screen.getByText("First words."), screen.getByText("Last words.")];
    expect([order(above, first), order(first, between), order(between, last)].every(Boolean)).toBe(true);
  });

  test("a picture of an answer opens in the viewer of attachments", async () => {
    await show("", [picture(0, 0)]);
    fireEvent.click(await screen.findByRole("button", { name: "Enlarge picture-1.png" }));
    expect(await screen.findByRole("dialog", { name: /picture-1\.png/ })).toBeDefined();
  });

  test("an answer of a picture alone has no words about an error", async () => {
    await show("", [picture(0, 0)]);
    expect(await screen.findByRole("list", { name: "Pictures of the answer" })).toBeDefined();
    expect(screen.queryByText(/could not|broke off|stopped/i)).toBeNull();
  });

  test.each([
    ["quota", "A picture of this answer was not kept: your storage is full."],
    ["temporary", "A picture of this answer was not kept: nothing of a temporary chat is stored."],
  ])("a picture that was not kept (%s) is explained", async (reason, words) => {
    await show("Here it is.", [{ seq: 0, at: 0, kind: "notice", code: "picture", params: { reason } }]);
    expect((await screen.findByRole("note")).textContent).toBe(words);
  });
});
