import { expect, onTestFinished, test } from "vitest";
import { unusedAddress } from "../../../../testing/provider/model-calls.ts";
import { startProvider } from "../../../../testing/provider/provider-server.ts";
import { Outbound } from "../../../outbound/outbound.ts";
import { ProviderConnection } from "../../providers/provider-connection.ts";
import { probeApi } from "./probe-api.ts";

type Answer = { status: number; body?: unknown };

/** Probes a server that answers the two paths so, and any other with 404. */
async function probe(answers: Record<string, Answer>) {
  const seen: unknown[] = [];
  const provider = await startProvider(({ path, body }, answer) => {
    seen.push([path, body]);
    const { status, body: document = "" } = answers[path] ?? { status: 404 };
    answer.respond(status, "application/json", JSON.stringify(document));
  });
  const connection = new ProviderConnection({ baseUrl: provider.baseUrl }, { outbound: new Outbound() });
  onTestFinished(async () => {
    await connection[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });
  return { api: await probeApi(connection), seen };
}

const chat = "/v1/chat/completions";
const responses = "/v1/responses";

test.each([
  ["chat completions", { [chat]: { status: 400 }, [responses]: { status: 400 } }, "chat-completions"],
  ["a refused key", { [chat]: { status: 401 } }, "chat-completions"],
  ["a validation error", { [chat]: { status: 422 } }, "chat-completions"],
  [
    "a missing model",
    { [chat]: { status: 404, body: { error: { message: 'model "" not found' } } } },
    "chat-completions",
  ],
  ["responses only", { [responses]: { status: 400 } }, "responses"],
  ["another method", { [chat]: { status: 405 }, [responses]: { status: 400 } }, "responses"],
  ["a redirect", { [chat]: { status: 308 }, [responses]: { status: 401 } }, "responses"],
  ["a page", { [chat]: { status: 200, body: "Welcome" } }, undefined],
  ["nothing", {}, undefined],
])("a server with %s has the API that a probe finds", async (_, answers, api) => {
  expect((await probe(answers)).api).toBe(api);
});

test("a probe sends no prompt", async () => {
  expect((await probe({})).seen).toEqual([
    [chat, {}],
    [responses, {}],
  ]);
});

test("a probe of OpenAI itself makes no request, and one of an absent server throws", async () => {
  const openAi = new ProviderConnection({ baseUrl: "https://api.openai.com/v1" }, { outbound: new Outbound() });
  expect(await probeApi(openAi)).toBe("responses");
  const connection = new ProviderConnection({ baseUrl: await unusedAddress() }, { outbound: new Outbound() });
  onTestFinished(() => connection[Symbol.asyncDispose]());
  await expect(probeApi(connection)).rejects.toMatchObject({ code: "assistant-unreachable" });
});
