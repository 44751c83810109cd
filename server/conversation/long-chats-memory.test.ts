import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it, vi } from "vitest";
import type { Chat } from "#contract/conversation.ts";
import { API_BASE, paths } from "#contract/paths.ts";
import { signUp } from "../../testing/sign-up.ts";
import { createTestGround, startTestApp, type TestGround } from "../../testing/start-test-app.ts";
import { findChat } from "../chats/chat-store.ts";
import { newId } from "../database/new-id.ts";
import { newMessage } from "./message-rows.ts";
import { storedBytes } from "./stored-bytes.ts";

// A net against hanging: the process that is started shares two cores with all else.
vi.setConfig({ testTimeout: 300_000 });

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const MESSAGES = 64;
const CHARS = 1_000_000;
const READERS = 10;

/** A chat of 64 MB, as one that was there before chats had a quota. */
async function prepare(ground: TestGround): Promise<{ token: string; chatId: string }> {
  await using app = await startTestApp({ ground });
  const { token, user } = await signUp(app);
  const { id } = (await (await app.call("POST", paths.chats, { token, body: {} })).json()) as Chat;
  const { database } = app.context;
  const chat = await findChat(database, user.id, id);
  if (!chat) throw new Error("There is no chat");
  let parent: string | null = null;
  let stored_bytes = 0;
  for (let at = 0; at < MESSAGES; at++) {
    // Beyond Latin-1, so that each character takes two bytes of the heap.
    const content = "峡".padEnd(CHARS, "x");
    const message = newMessage(chat, at, { id: newId(), role: "user", content, parent });
    await database.insertInto("messages").values(message).execute();
    parent = message.id;
    stored_bytes += storedBytes({ role: "user", content, seams: [] });
  }
  await database.updateTable("chats").set({ leaf: parent, stored_bytes }).where("id", "=", id).execute();
  return { token, chatId: id };
}

async function bytesOf(response: Response): Promise<number> {
  let bytes = 0;
  for await (const piece of response.body ?? []) bytes += piece.length;
  return bytes;
}

it("K3 ten reads at once of a chat of 64 MB survive a heap of 400 MB", async () => {
  await using ground = await createTestGround();
  const { token, chatId } = await prepare(ground);
  const child = spawn(process.execPath, ["--max-old-space-size=400", main], {
    env: { PORT: "0", DATA_DIR: ground.dataDir, RATE_LIMITS: "off", ...ground.env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exited = once(child, "exit");
  try {
    let address: string | undefined;
    for await (const line of createInterface(child.stdout)) {
      address = /^Parley is running on (http:\S+)$/.exec(line)?.[1];
      if (address) break;
    }
    child.stdout.resume();
    const read = async (path: string) => {
      const response = await fetch(`${address}${API_BASE}${path}`, { headers: { authorization: `Bearer ${token}` } });
      return [response.status, (await bytesOf(response)) > MESSAGES * CHARS];
    };
    const reads = Array.from({ length: READERS }, () => read(paths.chat(chatId)));
    expect(await Promise.all(reads)).toEqual(Array(READERS).fill([200, true]));
    expect(child.exitCode).toBeNull();
  } finally {
    child.kill("SIGKILL");
    await exited;
  }
});
