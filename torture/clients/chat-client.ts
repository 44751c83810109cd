import type { IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Chat, Message } from "#contract/conversation.ts";
import { paths } from "#contract/paths.ts";
import type { Account } from "../../testing/accounts/process-account.ts";
import { type Call, callJson, type JsonAnswer, openCall } from "../../testing/http/http-call.ts";
import type { Arrangement } from "../arrangements/arrangement.ts";
import type { ReadOptions } from "../ledger/reply-reader.ts";
import type { ChatRecord, Turn } from "../ledger/turn.ts";

/** Longer than any fault lasts. */
const GIVE_UP_MS = 45_000;
const RETRY_MS = 60;
const MODEL = "GPT:gpt-5";

/** What a person would have been told as an error, or waited for in vain. */
export class ClientError extends Error {}

/** A browser's way with the server: whatever does not come through is tried again, sends by their key. */
export class ChatClient {
  readonly #url: string;
  readonly #accounts: Arrangement["accounts"];
  /** Whose each chat is. */
  #owners = new Map<string, Account>();

  constructor({ url, accounts }: Pick<Arrangement, "url" | "accounts">) {
    this.#url = url;
    this.#accounts = accounts;
  }

  /** The same people, by another way. */
  at(url: string): ChatClient {
    const other = new ChatClient({ url, accounts: this.#accounts });
    other.#owners = this.#owners;
    return other;
  }

  /** One try. */
  json<T = unknown>(call: Call): Promise<JsonAnswer<T>> {
    return callJson<T>(this.#url, { token: this.#ownerOf(call).token, ...call });
  }

  /** One try. */
  open(call: Call): Promise<IncomingMessage> {
    return openCall(this.#url, { token: this.#ownerOf(call).token, ...call });
  }

  /** Tries until it gets an answer that is not "later". */
  async openOnceTaken(call: Call): Promise<IncomingMessage> {
    for (const deadline = performance.now() + GIVE_UP_MS; performance.now() < deadline; ) {
      const answer = await this.open(call).catch(() => undefined);
      if (answer && !isLater(answer.statusCode)) return answer;
      answer?.resume();
      await delay(RETRY_MS);
    }
    throw new ClientError(`${call.path} was not taken within ${GIVE_UP_MS} ms`);
  }

  /** The status and body of the first answer that is not "later". */
  async jsonOnceTaken<T = unknown>(call: Call): Promise<JsonAnswer<T>> {
    for (const deadline = performance.now() + GIVE_UP_MS; performance.now() < deadline; await delay(RETRY_MS)) {
      const answer = await this.json<T>(call).catch(() => undefined);
      if (answer && !isLater(answer.status)) return answer;
    }
    throw new ClientError(`${call.path} was not taken within ${GIVE_UP_MS} ms`);
  }

  async createChat(): Promise<ChatRecord> {
    const key = crypto.randomUUID();
    const owner = this.#accounts[this.#owners.size % this.#accounts.length] ?? this.#accounts[0];
    const call = { method: "POST", path: paths.chats, body: {}, key, token: owner.token };
    const { body } = await this.#persist<Chat>(call, [201]);
    this.#owners.set(body.id, owner);
    return { id: body.id, turns: [], isDeleted: false };
  }

  async openChat(chatId: string): Promise<Chat> {
    return (await this.#persist<Chat>({ method: "GET", path: paths.chat(chatId) }, [200])).body;
  }

  /** The stored reply of a turn; undefined where it holds no word. */
  async findReply(turn: Turn): Promise<Message | undefined> {
    return (await this.openChat(turn.chatId)).messages.find(({ id }) => id === turn.replyId);
  }

  async deleteChat(chat: ChatRecord): Promise<void> {
    await this.#persist({ method: "DELETE", path: paths.chat(chat.id) }, [204, 404]);
    chat.isDeleted = true;
  }

  async stop(turn: Turn): Promise<void> {
    turn.stopAskedAt ??= performance.now();
    await this.#persist({ method: "POST", path: paths.chatStop(turn.chatId) }, [204]);
    turn.stoppedAt = performance.now();
  }

  /** Sends the question and reads its reply until it has ended, or the reader leaves. */
  async send(turn: Turn, options: ReadOptions = {}): Promise<void> {
    await this.#stream(turn, this.sendCall(turn), options);
  }

  sendCall({ chatId, question, key }: Turn): Call {
    const body = { message: question.text, ...(question.script.isAutomatic ? {} : { model: MODEL }) };
    return { method: "POST", path: `${paths.chatSend(chatId)}?stream=1`, body, key };
  }

  /** Asks for the rest of a reply, or for a reply anew where there is none. */
  async askForMore(turn: Turn, mode: "continue" | "retry", options: ReadOptions = {}): Promise<void> {
    turn.asksForMore++;
    if (mode === "retry") turn.readers = [turn.addReader()];
    if (mode === "retry") turn.reader.replyId = undefined;
    const call = { method: "POST", path: paths.chatReply(turn.chatId), body: { mode }, key: crypto.randomUUID() };
    await this.#stream(turn, call, options);
  }

  /** Reads on from where the reader is, until the reply has ended or the reader leaves. */
  async follow(turn: Turn, options: ReadOptions = {}, reader = turn.reader): Promise<void> {
    const deadline = performance.now() + GIVE_UP_MS;
    while (performance.now() < deadline) {
      const answer = await this.join(turn, reader);
      if (answer && ((await reader.read(answer, options)) || hasLeft(reader.text, options))) return;
      await delay(RETRY_MS);
    }
    throw new ClientError(`the reply ${reader.replyId} has not ended within ${GIVE_UP_MS} ms`);
  }

  /** One try at a reply from where its reader is; undefined where it is worth another. */
  join(turn: Turn, reader = turn.reader): Promise<IncomingMessage | undefined> {
    const path = `${paths.chatReply(turn.chatId)}?reply=${reader.replyId}&from=${reader.text.length}`;
    return this.#try({ method: "GET", path }, [200]);
  }

  #ownerOf({ path }: Call): Account {
    const [, , chatId = ""] = path.split("/");
    return this.#owners.get(chatId) ?? this.#accounts[0];
  }

  async #stream(turn: Turn, call: Call, options: ReadOptions): Promise<void> {
    const deadline = performance.now() + GIVE_UP_MS;
    let isBegun = false;
    const onText = (length: number) => {
      isBegun = true;
      turn.ackedAt ??= performance.now();
      options.onText?.(length);
    };
    while (!isBegun) {
      if (performance.now() > deadline) throw new ClientError(`${call.path} was not taken within ${GIVE_UP_MS} ms`);
      const answer = await this.#try(call, [200, ...(turn.asksForMore > 0 ? [409] : [])]);
      // Who leaves before the first word leaves once the question was taken: a "retry" would else be of the one before.
      if (!answer) {
        await delay(RETRY_MS);
        continue;
      }
      // An earlier try was taken although its answer was lost.
      if (answer.statusCode === 409) isBegun = await this.#findBegun(turn, answer);
      else if (await turn.reader.read(answer, { ...options, onText })) return;
      if (turn.replyId !== undefined && hasLeft(turn.reader.text, options)) return;
    }
    await this.follow(turn, options);
  }

  async #findBegun(turn: Turn, refusal: IncomingMessage): Promise<boolean> {
    refusal.resume();
    const last = (await this.openChat(turn.chatId)).messages.at(-1);
    if (last?.role === "assistant") turn.reader.replyId = last.id;
    return turn.reader.replyId !== undefined;
  }

  /** @returns undefined where it is worth another try */
  async #try(call: Call, wanted: number[]): Promise<IncomingMessage | undefined> {
    const answer = await this.open(call).catch(() => undefined);
    if (!answer || wanted.includes(answer.statusCode ?? 0)) return answer;
    const status = answer.statusCode;
    const body = (await answer.toArray().catch(() => [])).join("");
    if (isLater(status)) return undefined;
    throw new ClientError(`${call.method} ${call.path} answered ${status} ${body}`);
  }

  async #persist<T>(call: Call, wanted: number[]): Promise<JsonAnswer<T>> {
    const deadline = performance.now() + GIVE_UP_MS;
    while (performance.now() < deadline) {
      const answer = await this.json<T>(call).catch(() => undefined);
      if (answer && wanted.includes(answer.status)) return answer;
      if (answer && !isLater(answer.status)) {
        throw new ClientError(`${call.method} ${call.path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
      }
      await delay(RETRY_MS);
    }
    throw new ClientError(`${call.method} ${call.path} was not answered within ${GIVE_UP_MS} ms`);
  }
}

/** A server that is not there yet, or an account of which enough replies are being written. */
const isLater = (status: number | undefined) => status === 503 || status === 429;

const hasLeft = (text: string, { leaveAt }: ReadOptions) => leaveAt !== undefined && text.length >= leaveAt;
