import { setTimeout as delay } from "node:timers/promises";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { inBatches } from "../clients/in-batches.ts";
import { type Person, signUp } from "../clients/person.ts";
import type { Trial } from "../report.ts";
import { newChat } from "../routes/route-harness.ts";
import type { Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";

const EXTENT = { users: 200, replies: 500, atOnce: 100 };
const SHORT_EXTENT = { users: 12, replies: 12, atOnce: 12 };
const TIMEOUT_MS = 120_000;
/** Limited, because each prompt contains the whole chat. */
const REPLIES_PER_CHAT = 25;

/** H7: replies of many accounts are cut off, stopped and rejoined at random; none receives another's text. */
export const cancelStorm: Suite = {
  name: "cancel-storm",
  async run({ report, isShort, random, startSite }) {
    const { users, replies, atOnce } = isShort ? SHORT_EXTENT : EXTENT;
    await using site = await startSite({ env: { LOG_LEVEL: "error" } });
    // The answer repeats a canary of the account.
    site.provider.scenario = "slow";
    site.provider.paceMs = 2;
    site.provider.reply = ({ messages }) => {
      // Frees the recorded prompts of a hundred thousand replies.
      site.provider.requests.length = 0;
      const canary = /canary-\w+/.exec(messages.findLast(({ role }) => role === "user")?.content ?? "")?.[0] ?? "none";
      return Array<string>(20).fill(canary).join(" ");
    };
    await report.try("H7", `${users} people, ${replies} replies each, aborted and joined at random`, async (trial) => {
      const people: Person[] = [];
      for (let index = 0; index < users; index++) people.push(await signUp(site));
      await inBatches(
        people,
        async (person) => {
          const drawn = random.fork(person.username);
          let chat = await newChat(site, person);
          for (let reply = 0; reply < replies; reply++) {
            if (reply > 0 && reply % REPLIES_PER_CHAT === 0) {
              await expectOwnWords(trial, site, person, chat);
              chat = await newChat(site, person);
            }
            const received = await storm(site, {
              person,
              chat,
              abortAfterMs: drawn.between(0, 120),
              isStopped: drawn.chance(0.3),
            });
            const foreign = canariesIn(received).filter((canary) => canary !== canaryOf(person));
            trial.expect(foreign.length === 0, () => `${person.username} got ${foreign.join(", ")}`);
          }
          await expectOwnWords(trial, site, person, chat);
        },
        atOnce,
      );
    });
  },
};

async function expectOwnWords(trial: Trial, site: Site, person: Person, chat: string): Promise<void> {
  const { text } = await site.send({ path: API_BASE + conversationPaths.chat(chat), token: person.token });
  const foreign = canariesIn(text).filter((canary) => canary !== canaryOf(person));
  trial.expect(foreign.length === 0, () => `${person.username}'s chat holds ${foreign.join(", ")}`);
}

const canaryOf = ({ username }: Person) => `canary-${username}`;
const canariesIn = (text: string) => [...new Set(text.match(/canary-person\d+/g) ?? [])];

type Shower = { person: Person; chat: string; abortAfterMs: number; isStopped: boolean };

/** Sends, disconnects or stops at a random time, and rejoins. @returns everything received */
async function storm(site: Site, { person, chat, abortAfterMs, isStopped }: Shower): Promise<string> {
  const { token } = person;
  const url = `${site.url}${API_BASE}`;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const left = new AbortController();
  const body = JSON.stringify({ message: `I am ${canaryOf(person)}` });
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  const sent = fetch(`${url}${conversationPaths.chatSend(chat)}?stream=true`, {
    method: "POST",
    headers,
    body,
    signal: AbortSignal.any([left.signal, deadline]),
  });
  const reading = collect(sent);
  await delay(abortAfterMs);
  left.abort();
  const first = await reading;
  if (isStopped)
    await fetch(`${url}${conversationPaths.chatStop(chat)}`, { method: "POST", headers, body: "{}" }).catch(
      () => undefined,
    );
  const rest = await collect(fetch(`${url}${conversationPaths.chatReply(chat)}`, { headers, signal: deadline }));
  return first + rest;
}

/** Returns the text that was received before the abort. */
async function collect(answering: Promise<Response>): Promise<string> {
  let text = "";
  try {
    const decoder = new TextDecoder();
    for await (const chunk of (await answering).body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch {
    // The request was aborted.
  }
  return text;
}
