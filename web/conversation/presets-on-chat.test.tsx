import { act, fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Preset } from "#contract/conversation/presets.ts";
import { currentSession } from "../accounts/session/session.ts";
import { heldBody } from "../testing/fakes/fake-tabs.ts";
import { box, eachChatScreenAlone, openChatScreen, storedChat, write } from "../testing/open-chat-screen.tsx";
import { message } from "../testing/replies-set-up.ts";
import { openStoredSession } from "./stored-session.ts";

eachChatScreenAlone();

const stored = storedChat("a", message("q", "user", "A question"), message("r", "assistant", "An answer"));
const preset = (id: string, name: string): Preset => ({ id, name, instructions: "", model: null, temperature: null });
const [critic, poet] = [preset("critic", "Critic"), preset("poet", "Poet")];

const key = (element: Element, name: string) => act(async () => void fireEvent.keyDown(element, { key: name }));
const menuButton = (label: string) => screen.findByLabelText(label);
const names = () => screen.getAllByRole("menuitemradio").map(({ textContent }) => textContent);

test("the chat page reads the presets once when the events are live, and an event adds a new one", async () => {
  const events = heldBody();
  let reads = 0;
  // On a slow machine the page would read the presets before the events are live, after its timeout.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await openChatScreen("/chat?c=a", {
    "GET /chat/a": stored,
    "GET /events": events.response,
    "GET /presets": () => {
      reads += 1;
      return Response.json([critic]);
    },
  });
  await act(async () => events.say({ at: 1, isReset: false }));
  const { presets } = openStoredSession(currentSession().user?.id ?? "");
  await act(async () => {
    while (!presets.isLive()) await new Promise((resolve) => setImmediate(resolve));
  });
  vi.useRealTimers();
  await key(await menuButton("Presets"), "Enter");
  await vi.waitFor(() =>
    expect(names()).toEqual([expect.stringMatching(/^No preset/), expect.stringMatching(/^Critic/)]),
  );
  await act(async () => events.say({ at: 2, presets: [critic, poet] }));
  await vi.waitFor(() => expect(names()).toHaveLength(3));
  expect(names()[2]).toMatch(/^Poet/);
  expect(reads).toBe(1);
});

test("a preset is created over the chat and chosen for it; leaving the form loses nothing", async () => {
  let presets = [critic];
  const sent = await openChatScreen("/chat?c=a", {
    "GET /chat/a": stored,
    "GET /presets": () => Response.json(presets),
    "POST /presets": () => {
      presets = [critic, poet];
      return Response.json(poet, { status: 201 });
    },
    "PATCH /chat/a": { status: 204, text: "" },
  });
  await screen.findByText("A question");
  write("A poem, please");
  const name = () => screen.findByLabelText<HTMLInputElement>("Name");
  const openForm = async () => {
    await key(await menuButton("Presets"), "Enter");
    const item = await screen.findByText("New preset…");
    await act(async () => fireEvent.click(item));
    return name();
  };
  fireEvent.change(await openForm(), { target: { value: "Poet" } });
  await key(await name(), "Escape");
  await vi.waitFor(() => expect(screen.queryByLabelText("Name")).toBeNull());

  expect((await openForm()).value).toBe("Poet");
  await act(async () => fireEvent.click(screen.getByText("Cancel")));
  await vi.waitFor(() => expect(screen.queryByLabelText("Name")).toBeNull());
  expect(box().value).toBe("A poem, please");

  const field = await openForm();
  expect(field.value).toBe("");
  fireEvent.change(field, { target: { value: "Poet" } });
  await act(async () => fireEvent.click(screen.getByText("Save")));
  expect(await menuButton("Preset: Poet")).toBeTruthy();
  expect(screen.queryByLabelText("Name")).toBeNull();
  expect(box().value).toBe("A poem, please");
  await vi.waitFor(() => expect(sent().map(([call]) => call)).toEqual(["POST /presets", "PATCH /chat/a"]));
  expect(sent().at(-1)).toEqual(["PATCH /chat/a", { presetId: "poet" }]);
});
