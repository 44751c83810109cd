import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { CallUsage, MessageUsage as Usage } from "#contract/models/usage.ts";
import { fakeApi } from "../testing/fakes/fake-api.ts";
import "../testing/english-texts.ts";
import MessageUsage from "./message-usage.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const tokens = { inputTokens: 21, outputTokens: 8, cost: null };
const call: CallUsage = {
  ...tokens,
  model: "GPT:gpt-5-mini",
  purpose: "reply",
  isEstimate: false,
  at: 1,
  durationMs: 5,
};

async function open(usage: Partial<Usage>) {
  const counted: Usage = { ...tokens, calls: [call], estimated: 0, unpriced: 0, durationMs: 5, ...usage };
  fakeApi({ "GET /chat/a/message/r/usage": { json: counted } });
  render(<MessageUsage chat="a" message="r" anchor={{ current: null }} onClose={() => {}} />);
  const box = await screen.findByRole("dialog", { name: "About this answer" });
  await within(box).findByText("gpt-5-mini");
  return box.textContent;
}

test("an estimated count of tokens is marked in the usage of an answer", async () => {
  const shown = await open({ estimated: 1 });
  expect(shown).toContain("≈ 8");
  expect(shown).toContain("≈ is an estimate");
});

test("a reported count of tokens is not marked as an estimate", async () => {
  expect(await open({})).not.toContain("≈");
});
