import { expect, test } from "vitest";
import { builtInFacts } from "./built-in-facts.ts";
import { isPrivateAddress, serverOf } from "./server-name.ts";

test.each([
  ["https://api.openai.com/v1", "openai"],
  ["https://eu.api.openai.com/v1", "openai"],
  ["https://openrouter.ai/api/v1", "openrouter"],
  ["https://api.mistral.ai/v1", "mistral"],
  ["https://api.groq.com/openai/v1", "groq"],
  ["https://api.together.xyz/v1", "together"],
  ["https://generativelanguage.googleapis.com/v1beta/openai/", "gemini"],
  ["https://api.deepseek.com", "deepseek"],
  ["https://api.x.ai/v1", "xai"],
  ["https://openai.example.com/v1", "other"],
  ["https://notx.ai/v1", "other"],
])("the server at %s is %s without a list", (url, server) => {
  expect(serverOf(new URL(url), [])).toBe(server);
  expect(serverOf(new URL(url), [{ id: "a", owned_by: "someone" }])).toBe(server);
});

test("a list is stronger than a host, but for OpenAI itself", () => {
  const created = [{ id: "gpt-3.5-turbo", owned_by: "openai", created: 1_677_610_602 }];
  expect(serverOf(new URL("https://gateway.example/v1"), created)).toBe("litellm");
  expect(serverOf(new URL("https://api.openai.com/v1"), created)).toBe("openai");
  expect(serverOf(new URL("https://api.x.ai/v1"), [{ id: "a", owned_by: "vllm" }])).toBe("vllm");
});

test.each([
  ["http://127.0.0.1:8000/v1", true],
  ["http://[::1]:8000/v1", true],
  ["http://[fd00::7]/v1", true],
  ["http://192.168.1.20/v1", true],
  ["http://100.100.1.1/v1", true],
  ["http://localhost:11434", true],
  ["http://gpu/v1", true],
  ["http://gpu.lan/v1", true],
  ["http://host.docker.internal:8000/v1", true],
  ["http://8.8.8.8/v1", false],
  ["http://172.32.0.1/v1", false],
  ["https://api.example.com/v1", false],
])("the address %s is private: %s", (url, isPrivate) => {
  expect(isPrivateAddress(new URL(url))).toBe(isPrivate);
});

test("the models of OpenAI itself and Anthropic have built-in facts and public prices, also by a dated name", () => {
  const facts = builtInFacts("openai", "gpt-5-mini-2025-08-07");
  expect(facts).toMatchObject({ images: true, reasoning: "effort", takesTemperature: false });
  expect(facts).toMatchObject({ inputPrice: 0.25, outputPrice: 2, cacheReadPrice: 0.025 });
  expect(facts).not.toHaveProperty("successor");
  expect(builtInFacts("anthropic", "claude-opus-5-5")).toMatchObject({ reasoning: "adaptive", inputPrice: 4 });
  expect(builtInFacts("openai", "claude-opus-5-5")).toBeUndefined();
  expect(builtInFacts("other", "gpt-5-mini")).toBeUndefined();
});
