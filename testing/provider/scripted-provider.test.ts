import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TITLE_MARKER } from "../../server/models/title-prompt.ts";
import { type ScriptedProvider, startScriptedProvider } from "./scripted-provider.ts";

let provider: ScriptedProvider;
beforeEach(async () => {
  provider = await startScriptedProvider();
});
afterEach(() => provider[Symbol.asyncDispose]());

function ask(question: string, system = "Be kind.") {
  const messages = [
    { role: "system", content: system },
    { role: "user", content: question },
  ];
  return fetch(`${provider.baseUrl}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "m", messages }),
  });
}

describe("scripted providers", () => {
  test("the scripted provider answers by queued scenarios, then by the question's marker, then by its default", async () => {
    provider.scenario = "wrong-key";
    provider.next("too-long", "overloaded");
    const statuses = [];
    for (const question of ["a", "[scenario:fast]", "[scenario:fast] b", "c"]) {
      const response = await ask(question);
      statuses.push(response.status);
      await response.text();
    }
    expect(statuses).toEqual([400, 503, 200, 401]);
    expect(provider.chats.map(({ scenario }) => scenario)).toEqual(["too-long", "overloaded", "fast", "wrong-key"]);
  });

  test("the scripted provider answers titles apart from chats, whatever their question says", async () => {
    provider.next("overloaded");
    expect(await (await ask("[scenario:wrong-key]", `${TITLE_MARKER} Go.`)).text()).toContain(
      "A fitting title".split(" ")[0],
    );
    expect([provider.titles.length, provider.chats.length]).toEqual([1, 0]);
    expect((await ask("Hi")).status).toBe(503);
  });

  test("the scripted provider replies by a function of the request", async () => {
    provider.reply = ({ model, messages }) => `${model}:${messages.length}`;
    expect(await (await ask("Hi")).text()).toContain('"content":"m:1"');
  });

  test("the scripted provider records whether an answer was read to its end", async () => {
    await (await ask("Hi")).text();
    const response = await ask("[scenario:held]");
    await response.body?.cancel();
    const [whole, cut] = provider.chats;
    await Promise.all([whole?.closed, cut?.closed]);
    expect([whole?.isAborted, cut?.isAborted]).toEqual([false, true]);
  });

  test("the scripted provider queues commands for a held reply whose client is still connected", async () => {
    await (await ask("[scenario:held]")).body?.cancel();
    await provider.chats[0]?.closed;
    provider.release("kept");
    provider.finish();
    expect(await (await ask("[scenario:held]")).text()).toContain('"content":"kept"');
  });

  test("the scripted provider passes no command to a held reply from before a reset", async () => {
    const left = await ask("[scenario:held]");
    provider.reset();
    provider.release("kept");
    provider.finish();
    expect(await (await ask("[scenario:held]")).text()).toContain('"content":"kept"');
    await left.body?.cancel();
  });
});
