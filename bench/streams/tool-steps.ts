import { startScriptedProvider } from "../../testing/provider/scripted-provider.ts";
import type { WireCall } from "../../testing/provider/wire.ts";
import { scriptCalls, stepOf } from "../../testing/tools/script-calls.ts";
import { post, signUp, startParley } from "../harness/parley.ts";
import type { Row } from "../results/row.ts";
import { quantile } from "../results/statistics.ts";

const STEPS = 20;
const ROUNDS = 12;
const WARM_UPS = 2;
const ALLOWED_MS = 10;

const steps = Array.from({ length: STEPS }, (_, step): WireCall[] => [
  { id: `call_${step}`, name: "basics__current_time", arguments: "{}" },
]);

/**
 * Measures a step of a reply on SQLite: from the end of an answer with a call to the next request, with a tool that
 * answers at once. The yardstick reads an answer to its end and requests the next one, without storing anything.
 */
export async function measureToolSteps(): Promise<Row[]> {
  await using provider = await startScriptedProvider();
  scriptCalls(provider, steps);
  const endedAt: number[] = [];
  const arrivedAt: number[] = [];
  const { calls } = provider;
  provider.calls = (request) => {
    const step = stepOf(request.messages);
    arrivedAt[step] = performance.now();
    void request.closed.then(() => {
      endedAt[step] = performance.now();
    });
    return calls(request);
  };
  const taken = () => endedAt.slice(0, STEPS).map((ended, step) => (arrivedAt[step + 1] ?? Number.NaN) - ended);
  await using parley = await startParley({ OPENAI_API_KEY: "bench", OPENAI_BASE_URL: provider.baseUrl });
  const token = await signUp(parley);
  const own: number[] = [];
  const bare: number[] = [];
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    const { id } = (await post(parley.url, "/chat", { tools: ["basics"] }, token)) as { id: string };
    await post(parley.url, `/chat/${id}/send`, { message: "Compute, please", model: "GPT:gpt-5" }, token);
    if (round >= 0) own.push(...taken());
    await loopBare(`${provider.baseUrl}/chat/completions`);
    if (round >= 0) bare.push(...taken());
  }
  const row = (part: number): Row => ({
    name: `from an answer with a call to the next request, p${part * 100}`,
    value: quantile(own, part),
    unit: "ms",
    yardstick: { name: "bare loop", value: quantile(bare, part) },
    ...(part === 0.5 && { allowed: ALLOWED_MS }),
  });
  return [row(0.5), row(0.95)];
}

/** Requests the same steps one after the other. */
async function loopBare(url: string): Promise<void> {
  const messages: object[] = [{ role: "user", content: "Compute, please" }];
  for (const [call] of steps) {
    if (!call) return;
    const { id, name, arguments: json } = call;
    await request(url, messages);
    const called = { id, type: "function", function: { name, arguments: json } };
    messages.push({ role: "assistant", content: null, tool_calls: [called] });
    messages.push({ role: "tool", tool_call_id: id, content: "1" });
  }
  await request(url, messages);
}

async function request(url: string, messages: readonly object[]): Promise<void> {
  const body = JSON.stringify({ model: "bench", messages, stream: true });
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  await response.text();
}
