import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { jsonOf } from "../../testing/http/send.ts";
import type { Vector } from "../../testing/rendering/vector.ts";
import { inBatches } from "../clients/in-batches.ts";
import { newPerson, type Person, register } from "../clients/person.ts";
import type { Trial } from "../report.ts";
import type { Site } from "../site.ts";
import type { PlayProvider } from "./play-provider.ts";

/** Expects every one of these texts to be refused as a name, username or address. */
export async function tryNames(trial: Trial, site: Site, vectors: readonly Vector[]): Promise<void> {
  await inBatches(vectors, async ({ text }) => {
    for (const field of ["firstname", "lastname", "username", "email"]) {
      const local = field === "email" ? `${text}@example.org` : text;
      const { status } = await register(site, { ...newPerson(), [field]: local });
      trial.expect(status >= 400 && status < 500, () => `${field} ${JSON.stringify(local)} answered ${status}`);
    }
  });
}

const SIGNS = /hit\(|leak\.example|<script|onerror/;

/** Expects that no text of a provider's error reaches the browser, in any format. */
export async function tryErrorTexts(
  trial: Trial,
  { site, person, provider }: { site: Site; person: Person; provider: PlayProvider },
  vectors: readonly Vector[],
): Promise<void> {
  const { token } = person;
  await inBatches(
    vectors,
    async ({ text }) => {
      const bodies = [
        { contentType: "application/json", body: JSON.stringify({ error: { message: text, type: text, code: text } }) },
        { contentType: "text/html", body: `<h1>${text}</h1>` },
      ];
      for (const [index, answer] of bodies.entries()) {
        const name = provider.add({ status: index === 0 ? 400 : 200, ...answer });
        const created = await site.send({ method: "POST", path: API_BASE + conversationPaths.chats, token, body: {} });
        const { id } = jsonOf<Chat>(created);
        const path = `${API_BASE}${conversationPaths.chatSend(id)}?stream=1`;
        const sent = await site.send({ method: "POST", path, token, body: { message: name } });
        const stored = await site.send({ path: API_BASE + conversationPaths.chat(id), token });
        const seen = sent.text + stored.text;
        trial.expect(!SIGNS.test(seen), () => `${JSON.stringify(text)} was passed on: ${seen.slice(0, 500)}`);
        trial.expect(sent.text.includes('"code"'), () => `no failure was reported: ${sent.text.slice(0, 300)}`);
      }
    },
    3,
  );
}
