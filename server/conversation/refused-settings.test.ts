import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { errorSentences } from "#contract/errors.ts";
import { startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { readReply } from "../../testing/http/read-events.ts";

it("a model whose settings its provider refuses fails with a sentence, and the log names the field only", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "models.json");
  const size = { contextTokens: 20_000, maxOutputTokens: 4096 };
  const outdated = {
    label: "Outdated",
    value: "CLAUDE:claude-opus-4-7",
    ...size,
    reasoning: "budget",
    efforts: ["low"],
  };
  const other = { label: "Other", value: "GPT:gpt-4.1-nano", ...size };
  const automatic = [outdated.value, other.value];
  await writeFile(file, JSON.stringify({ groups: [{ label: "All", models: [outdated, other] }], automatic }));
  await using chat = await startScriptedChat({ MODELS_FILE: file });
  await chat.renew();
  const given = { name: "Thinker", instructions: "", model: null, temperature: null, effort: "low" };
  const { token } = chat.ada;
  const preset = (await (await chat.app.call("POST", "/presets", { token, body: given })).json()) as { id: string };
  await chat.call("PATCH", "", { presetId: preset.id });

  const message = "A question about canaries";
  const { failure } = await readReply(await chat.stream({ message, model: outdated.value }));
  expect(failure).toEqual({ code: "assistant-unsuited", error: errorSentences["assistant-unsuited"] });
  expect(chat.provider.chats).toHaveLength(1);
  const lines = chat.app.logLines.filter((line) => line.includes("model failed"));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("assistant-unsuited, status 400, invalid_request_error, field thinking.type.enabled");
  expect(chat.app.logLines.join()).not.toContain("canaries");

  const { text } = await readReply(await chat.stream({ message: "Again, by whichever model" }));
  expect(text).toBe(chat.provider.reply);
  expect(chat.provider.chats.at(-1)?.model).toBe("gpt-4.1-nano");
});
