import { expect, it } from "vitest";
import type { Chat } from "#contract/conversation/conversation.ts";
import type { SendResponse } from "#contract/conversation/conversation-calls.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestHarness } from "../../testing/app/start-test-app.ts";
import { callJson } from "../../testing/http/http-call.ts";
import { startScriptedProvider } from "../../testing/provider/scripted-provider.ts";
import { SourceProcess } from "../../testing/servers/source-process.ts";
import { privateCaFile, startTlsFront } from "../../testing/servers/tls-front.ts";

it("a provider with a certificate of a private authority answers with NODE_EXTRA_CA_CERTS only", async () => {
  await using opened = new AsyncDisposableStack();
  const provider = opened.use(await startScriptedProvider());
  const front = opened.use(await startTlsFront(provider.port));
  const harness = opened.use(await createTestHarness(undefined, { isMigrated: true }));
  const { token } = await signUpAt(harness);
  const { DATABASE_URL } = harness.env;
  const env = {
    ...(DATABASE_URL !== undefined && { DATABASE_URL }),
    DATA_DIR: harness.dataDir,
    OPENAI_API_KEY: "scripted-key",
    OPENAI_BASE_URL: `https://localhost:${front.port}/v1`,
  };
  const answerOf = async (more: Record<string, string>) => {
    await using server = new SourceProcess({ ...env, ...more });
    await server.start();
    const url = server.url ?? "";
    const chat = await callJson<Chat>(url, { method: "POST", path: "/chat", token });
    const path = `/chat/${chat.body.id}/send`;
    const body = { message: "Hello", model: "GPT:gpt-5-mini" };
    const sent = await callJson<SendResponse>(url, { method: "POST", path, token, body });
    return sent.body.ai_response?.content;
  };
  expect(await answerOf({})).toBeUndefined();
  expect(await answerOf({ NODE_EXTRA_CA_CERTS: privateCaFile })).toBe(provider.reply);
});

async function signUpAt(harness: TestHarness) {
  await using app = await startTestApp({ harness });
  return await signUp(app);
}
