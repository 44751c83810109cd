import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { type Usage, usageSchema } from "#contract/models/usage.ts";
import { Random } from "../../testing/app/random.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import {
  billedBy,
  invoiceOf,
  nanosOf,
  type Tariff,
  toPrice,
  totalBilledBy,
  totalOf,
} from "../../testing/provider/invoice.ts";
import { type ChatDialect, chatDialects } from "../../testing/provider/openai/openai-chat-wire.ts";
import type { WireTokens } from "../../testing/provider/wire.ts";
import type { CatalogueModel } from "../models/catalogue.ts";

/** A model and the form in which its provider counts tokens. `name`: the provider's name of the model. */
type Family = Required<Pick<CatalogueModel, "api">> & { name: string; tariff: Tariff; dialect?: ChatDialect };

// Half a nano-dollar for a cached token: costs of single calls are rounded.
const cached: Tariff = { input: 75_000n, output: 300_500n, cacheRead: 7_500n };
const written: Tariff = { input: 3_000_000n, output: 15_000_000n, cacheRead: 300_000n, cacheWrite: 3_750_000n };

const families: readonly Family[] = [
  { name: "by-responses", api: "responses", tariff: { ...written, cacheWrite: 2_500_000n } },
  { name: "by-messages", api: "messages", tariff: written },
  { name: "by-openai-with-writes", api: "chat-completions", dialect: "openai", tariff: written },
  ...chatDialects.map((dialect, nth) => ({
    name: `by-${dialect}`,
    api: "chat-completions" as const,
    dialect,
    tariff: { ...cached, input: cached.input + BigInt(nth) * 1_250n },
  })),
];
const SENDS = 2;
/** With the request for the title. */
const CALLS = SENDS + 1;

const modelValue = (name: string) => `${name === "by-messages" ? "CLAUDE" : "GPT"}:${name}`;

function familyOf(name: string): Family {
  const family = families.find((each) => each.name === name);
  if (!family) throw new Error(`The provider received the unknown model ${name}`);
  return family;
}

/** Draws the token counts of an answer, each call other ones. A cache without a price of its own is not written to. */
function drawTokens(random: Random, { tariff }: Family): WireTokens {
  const input = random.between(1, 250_000);
  const output = random.between(1, 16_000);
  const fromCache = random.between(0, input);
  return {
    input,
    cached: fromCache,
    ...(tariff.cacheWrite !== undefined && { written: random.between(0, input - fromCache) }),
    output,
    reasoning: random.between(0, output),
  };
}

/** Writes a `MODELS_FILE` with all families and their prices. */
async function writeCatalogue(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "parley-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const models = families.map(({ name, api, tariff }): CatalogueModel => {
    const { input, output, cacheRead, cacheWrite } = toPrice(tariff);
    return {
      label: name,
      value: modelValue(name),
      api,
      contextTokens: 300_000,
      maxOutputTokens: 16_000,
      inputPrice: input,
      outputPrice: output,
      cacheReadPrice: cacheRead,
      cacheWritePrice: cacheWrite,
    };
  });
  const file = join(folder, "models.json");
  await writeFile(file, JSON.stringify({ groups: [{ label: "All", models }] }));
  return file;
}

async function usageOf({ app, ada }: ScriptedChat): Promise<Usage> {
  // The calls of a test that runs over midnight may be in two months.
  const answer = await app.call("GET", `${modelPaths.usage}?months=2`, { token: ada.token });
  return usageSchema.parse(await answer.json());
}

it("the month of an account agrees with the invoice of each provider, by its own counts on the wire", async () => {
  await using chat = await startScriptedChat({ MODELS_FILE: await writeCatalogue() });
  const { app, provider } = chat;
  await chat.renew();
  const random = new Random("invoice on the wire");
  provider.tokens = ({ model }) => drawTokens(random, familyOf(model));
  for (const [nth, { name, dialect = "openai" }] of families.entries()) {
    provider.chatDialect = dialect;
    const id = await chat.createChat();
    for (let sent = 0; sent < SENDS; sent++) {
      const body = { message: `Question ${sent}`, model: modelValue(name) };
      const answer = await app.call("POST", conversationPaths.chatSend(id), { token: chat.ada.token, body });
      expect(await answer.json()).toMatchObject({ ai_response: { content: provider.reply, state: "complete" } });
    }
    // The title is requested after the reply, and has the same dialect.
    await vi.waitUntil(() => provider.charged.length === (nth + 1) * CALLS);
  }

  const calls = provider.charged.map(({ model, charges }) => {
    return { model: modelValue(model), tariff: familyOf(model).tariff, charges };
  });
  const invoice = invoiceOf(calls);
  expect(provider.titles).toHaveLength(families.length);
  await vi.waitUntil(async () => {
    const { months } = await usageOf(chat);
    return months.reduce((sum, month) => sum + month.calls, 0) === calls.length;
  });
  const usage = await usageOf(chat);
  expect(billedBy(usage)).toEqual(invoice);
  expect(invoice.size).toBe(families.length);
  for (const month of usage.months) expect(month).toMatchObject({ estimated: 0, unpriced: 0 });
  const total = totalBilledBy(usage);
  expect(total.toFixed(2)).toBe((Number(totalOf(invoice)) / 1e9).toFixed(2));
  expect(nanosOf(total)).toBe(totalOf(invoice));
});
