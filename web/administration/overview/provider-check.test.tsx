import { act, screen, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { Overview } from "#contract/administration/overview.ts";
import { type ProviderCheck, providerRefusals } from "#contract/administration/provider-check.ts";
import { answerProof } from "../../proof/proof.ts";
import { type FakeAnswer, problem } from "../../testing/fakes/fake-api.ts";
import { openAdministration } from "../../testing/open-administration.tsx";
import { eachTestAlone, press } from "../../testing/open-settings.tsx";

eachTestAlone();

const overview = (name: string, label?: string): Overview => ({
  accounts: { total: 1, verified: 1, unverified: 0, disabled: 0, activeInWeek: 1, activeInMonth: 1 },
  replies: { today: 0, month: 0, days: [] },
  usage: { month: "2026-01", inputTokens: 0, outputTokens: 0 },
  mail: { hasMailServer: true, waiting: 0, failed: 0 },
  storage: { stored: 0, database: 0, diskFree: 1, diskSize: 1 },
  groupBudgets: { nearlyUsed: 0, usedUp: 0 },
  answeringProcess: { version: "1", uptimeMs: 1, providers: [{ name, ...(label && { label }) }] },
  warnings: [],
});

async function open(name: string, label: string | undefined, ...answers: FakeAnswer[]) {
  const calls = await openAdministration("overview", {
    "GET /admin/overview": { json: overview(name, label) },
    [`POST /admin/providers/${name}/test`]: answers,
  });
  return () => calls.map(({ method, path }) => `${method} ${path}`);
}

const line = () => within(screen.getByRole("region", { name: "Providers" })).getByRole("listitem");
const answered: ProviderCheck = { ok: true, model: "GPT:gpt-5-mini", answer: "OK", durationMs: 1234, cost: 0.00012 };
const refused = (reason: string, more: object = {}): FakeAnswer => {
  const known = { ok: false, code: "assistant-failed", reason, host: "llm.example.org", durationMs: 5 };
  return { json: { ...known, ...more } };
};

test("a test of a provider shows model, answer, duration and cost, and reads the health again", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const asked = await open("openai", undefined, problem(403, "proof-needed"), () => promise);
  await press("Test: OpenAI");
  await act(async () => answerProof(true));
  const button = within(line()).getByRole("button", { name: "Test: OpenAI" });
  expect([button.textContent, button.getAttribute("aria-disabled")]).toEqual(["Testing…", "true"]);
  await act(async () => resolve(Response.json(answered)));
  expect(within(line()).getByRole("status").textContent).toBe(
    "gpt-5-mini answered in 1.2 seconds.It said: OKCost: $0.00012",
  );
  expect(asked().filter((call) => call === "GET /admin/overview")).toHaveLength(2);
});

describe("refused tests of a provider", () => {
  test.each([
    ["openai", "key", /The key was refused\. Check OPENAI_API_KEY\./],
    ["anthropic", "credit", /used up\. Add credit.*ANTHROPIC_API_KEY/],
    ["local", "unreachable", /llm\.example\.org could not be reached\. Check LOCAL_BASE_URL/],
    ["local", "no-listener", /refused the connection: nothing listens there\. Check LOCAL_BASE_URL/],
    ["local", "certificate", /not from an authority that this server trusts\. Set NODE_EXTRA_CA_CERTS/],
    ["local", "no-tls", /does not answer by https\. .*begin the address with http:/],
    ["local", "no-model", /no model to test\. Load a model/],
    ["openai", "rate", /limit of requests.*few minutes/],
    ["openai", "refused", /declined to answer\. ?$/],
    ["openai", "flown-to-the-moon", /unknown reason\. The server’s log/],
  ])("a test that %s refuses because of %s names the remedy", async (name, reason, sentence) => {
    await open(name, undefined, refused(reason));
    await press(/^Test: /);
    expect((await screen.findByRole("alert")).textContent).toMatch(sentence);
  });

  test("a refused test of a stored connection names its field, and no variable", async () => {
    await open("AT-HOME", "At home", refused("key"), refused("unreachable"));
    await press("Test: At home");
    expect((await screen.findByRole("alert")).textContent).toBe(
      "The key was refused. Enter the key of this connection again.",
    );
    await press("Test: At home");
    expect((await screen.findByRole("alert")).textContent).toMatch(/could not be reached\. Check the address, and/);
  });

  test("a loopback address that is the own container names the cause, and no other address does", async () => {
    const host = "127.0.0.1:11434";
    await open("LOCAL-2", "Ollama", refused("no-listener", { host, isOwnContainer: true }), refused("no-listener"));
    await press("Test: Ollama");
    expect((await screen.findByRole("alert")).textContent).toMatch(
      /^127\.0\.0\.1:11434 refused the connection.*127\.0\.0\.1 is that container itself: use host\.docker\.internal/,
    );
    await press("Test: Ollama");
    expect((await screen.findByRole("alert")).textContent).not.toContain("container");
  });

  test("a refused test names the model and the status", async () => {
    await open("openai", undefined, refused("model", { model: "GPT:gpt-9", status: 404 }));
    await press("Test: OpenAI");
    expect((await screen.findByRole("alert")).textContent).toMatch(/Tested with gpt-9 · HTTP 404$/);
  });

  test("each reason of this version for a refused test has its own sentence", async () => {
    await open("openai", undefined, ...providerRefusals.map((reason) => refused(reason)));
    const sentences = new Set<string | null>();
    for (const _ of providerRefusals) {
      await press("Test: OpenAI");
      sentences.add((await screen.findByRole("alert")).textContent);
    }
    expect(sentences.size).toBe(providerRefusals.length);
  });
});

test("a test refused because of a used-up budget has a sentence, too", async () => {
  await open("openai", undefined, problem(402, "budget-reached"));
  await press("Test: OpenAI");
  expect((await screen.findByRole("alert")).textContent).toMatch(/budget of this month/);
});

test("leaving the page aborts the test of a provider", async () => {
  let signal: AbortSignal | null | undefined;
  await open("openai", undefined, (call) => {
    signal = call.signal;
    return new Promise(() => undefined);
  });
  await press("Test: OpenAI");
  expect(signal?.aborted).toBe(false);
  await act(async () => screen.getByRole("link", { name: "People" }).click());
  expect(signal?.aborted).toBe(true);
});

test("a provider of a newer server has no test", async () => {
  await open("other", undefined);
  expect(within(line()).queryByRole("button")).toBeNull();
});
