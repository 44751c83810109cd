import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Preset } from "#contract/conversation/presets.ts";
import type { Effort } from "#contract/models/effort.ts";
import type { ModelGroup } from "#contract/models/models.ts";
import type { Api } from "../api/client.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import { createChatsStore } from "../chats/state/chats-store.ts";
import { createChat } from "../chats/state/chats-thunks.ts";
import { ModelChoice } from "../models/model-choice.ts";
import { Query } from "../queries/query.ts";
import "../testing/english-texts.ts";
import { clearNotifications, currentNotifications } from "../ui/notifications/notify.ts";
import { chooseEffort, chooseTier, effortChoiceOf, effortsOf, type TierChoice } from "./effort-choice.ts";
import { PresetList } from "./preset-list.ts";
import { choosePreset } from "./use-preset.ts";

beforeEach(() => localStorage.clear());
afterEach(() => {
  clearNotifications();
  vi.unstubAllGlobals();
});

const a = { id: "a", title: "T", updatedAt: 1, messages: [] };
const model = (name: string, available: boolean, efforts?: Effort[]) => ({
  label: name,
  value: `GPT:${name}`,
  available,
  ...(efforts && { efforts }),
});
const groups: ModelGroup[] = [
  { label: "GPT", models: [model("plain", true), model("small", true, ["off", "low", "high"])] },
  { label: "Other", models: [model("away", false, ["max"]), model("large", true, ["medium", "high", "xhigh"])] },
];
const preset: Preset = { id: "p", name: "P", instructions: "", model: null, temperature: null };
const thinker: Preset = { ...preset, id: "thinker", effort: "xhigh" };

/** Opens the chat `a` with the models above. The server answers every change, unless it `refuses`. */
async function setUp(account = "1") {
  const patches: unknown[] = [];
  const server = { refuses: false };
  vi.stubGlobal("fetch", async (_url: string, { body }: RequestInit) => {
    patches.push(JSON.parse(String(body)));
    return new Response(null, { status: server.refuses ? 500 : 204 });
  });
  const patch = async () => undefined;
  const post = vi.fn(async (_path: string, body: object) => ({ ...a, id: "new", ...body }));
  const get = vi.fn(
    async (path: string): Promise<unknown> => (path.includes("chat") ? { ...a, isUntitled: true } : []),
  );
  const calls = { patch, post, get } as unknown as Api;
  const store = createChatsStore(calls);
  const modelChoice = new ModelChoice(account, new Query(async () => groups));
  await modelChoice.load();
  const presets = new PresetList(calls);
  presets.take([preset, thinker]);
  const usualEffort = modelChoice.usualEffort();
  store.dispatch(chatEvents.organise({ usualEffort }));
  store.dispatch(chatEvents.guide({ chat: null, change: { effort: usualEffort } }));
  store.dispatch(chatEvents.loadChatSuccess({ chat: a }));
  store.dispatch(chatEvents.selectChat({ chat: "a" }));
  const session = { store, presets, modelChoice, storedSession: null };
  const chosen = () => {
    const { wanted, tier } = effortChoiceOf(session);
    return [wanted, tier];
  };
  return { session, store, modelChoice, patches, post, server, chosen };
}

test("offers the efforts of the model, and under automatic choice those of every available model", () => {
  expect(effortsOf(groups, "GPT:plain")).toEqual([]);
  expect(effortsOf(groups, "GPT:small")).toEqual(["off", "low", "high"]);
  expect(effortsOf(groups, "auto")).toEqual(["off", "low", "medium", "high", "xhigh"]);
  expect(effortsOf(groups, null)).toEqual(effortsOf(groups, "auto"));
  expect(effortsOf([], "auto")).toEqual([]);
  // The demo assistant answers.
  const unreachable = groups.map((group) => ({
    ...group,
    models: group.models.map((each) => ({ ...each, available: false })),
  }));
  expect([effortsOf(unreachable, "auto"), effortsOf(unreachable, "GPT:small")]).toEqual([[], []]);
});

test("an effort is stored in the chat at once, and new chats begin with it", async () => {
  const { session, store, patches, post, chosen } = await setUp();
  chooseEffort(session, "high");
  expect(chosen()).toEqual(["high", "thorough"]);
  await vi.waitFor(() => expect(patches).toEqual([{ effort: "high" }]));
  store.dispatch(chatEvents.selectChat({ chat: null }));
  expect(chosen()).toEqual(["high", "thorough"]);
  await store.dispatch(createChat());
  expect(post.mock.calls[0]?.[1]).toEqual({ effort: "high" });
  expect(chosen()).toEqual(["high", "thorough"]);
  // In another session of the account, too, but not of another account.
  expect((await setUp()).modelChoice.usualEffort()).toBe("high");
  expect((await setUp("2")).modelChoice.usualEffort()).toBeNull();
});

test("a removed effort is removed on the server, and from new chats", async () => {
  const { session, store, patches, chosen, modelChoice } = await setUp();
  chooseEffort(session, "high");
  await vi.waitFor(() => expect(session.presets.pendingRequests.size).toBe(0));
  chooseEffort(session, null);
  expect(chosen()).toEqual([undefined, "standard"]);
  await vi.waitFor(() => expect(patches).toEqual([{ effort: "high" }, { effort: null }]));
  expect([modelChoice.usualEffort(), store.getState().chats.guidanceOfNew.effort]).toEqual([null, null]);
});

test("three efforts stand for all: the lowest, the model's own, and high", async () => {
  const { session, chosen, patches } = await setUp();
  const choose = (tier: TierChoice) => {
    chooseTier(session, tier);
    return chosen();
  };
  expect(choose("fast")).toEqual(["off", "fast"]);
  expect(choose("standard")).toEqual([undefined, "standard"]);
  expect(choose("thorough")).toEqual(["high", "thorough"]);
  await vi.waitFor(() => expect(patches.at(-1)).toEqual({ effort: "high" }));
  for (const [effort, tier] of [
    ["minimal", "fast"],
    ["low", "fast"],
    ["medium", "standard"],
    ["max", "thorough"],
  ] as const) {
    chooseEffort(session, effort);
    expect(chosen()).toEqual([effort, tier]);
  }
});

test("beside the effort of a preset, standard is medium, and the preset's own effort can be chosen again", async () => {
  const { session, chosen } = await setUp();
  choosePreset(session, "thinker");
  expect(effortChoiceOf(session).choices[0]).toEqual({ tier: "preset", name: "xhigh" });
  chooseTier(session, "standard");
  expect(chosen()).toEqual(["medium", "standard"]);
  chooseTier(session, "preset");
  expect(chosen()).toEqual(["xhigh", "preset"]);
});

test("a model with one effort or none offers no choice, and the chosen effort stays", async () => {
  const { session, modelChoice, chosen } = await setUp();
  chooseTier(session, "thorough");
  for (const [name, isOffered] of [
    ["small", true],
    ["plain", false],
    ["large", true],
  ] as const) {
    modelChoice.choose(`GPT:${name}`);
    expect(effortChoiceOf(session).isOffered).toBe(isOffered);
    expect(chosen()).toEqual(["high", "thorough"]);
  }
});

test("the effort of a preset applies once the preset is chosen, unless the person overrides it", async () => {
  const { session, patches, chosen, modelChoice } = await setUp();
  chooseEffort(session, "low");
  choosePreset(session, "thinker");
  expect(chosen()).toEqual(["xhigh", "preset"]);
  await vi.waitFor(() => expect(patches).toEqual([{ effort: "low" }, { presetId: "thinker", effort: null }]));
  chooseEffort(session, "medium");
  expect(chosen()).toEqual(["medium", "standard"]);
  // An effort that overrides a preset is for this chat only.
  expect(modelChoice.usualEffort()).toBe("low");
  choosePreset(session, "thinker");
  expect(chosen()).toEqual(["xhigh", "preset"]);
});

test("in a new chat the effort of a preset replaces the usual one, which a preset without effort restores", async () => {
  const { session, store, post, chosen } = await setUp();
  chooseEffort(session, "low");
  store.dispatch(chatEvents.selectChat({ chat: null }));
  choosePreset(session, "thinker");
  expect(chosen()).toEqual(["xhigh", "preset"]);
  choosePreset(session, "p");
  expect(chosen()).toEqual(["low", "fast"]);
  choosePreset(session, "thinker");
  await store.dispatch(createChat());
  expect(post.mock.calls[0]?.[1]).toEqual({ presetId: "thinker" });
  store.dispatch(chatEvents.selectChat({ chat: null }));
  expect(chosen()).toEqual(["low", "fast"]);
});

test("a refused effort is rolled back, with a notification", async () => {
  const { session, server, chosen } = await setUp();
  server.refuses = true;
  chooseEffort(session, "high");
  await vi.waitFor(() => expect(chosen()).toEqual([undefined, "standard"]));
  expect(currentNotifications()).toHaveLength(1);
});
