import type { IncomingMessage } from "node:http";
import type { Chat, Message } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { Account } from "../../testing/accounts/process-account.ts";
import { type Call, callJson, type JsonAnswer, openCall } from "../../testing/http/http-call.ts";
import type { Arrangement } from "../arrangements/arrangement.ts";
import { type Bound, ClientError, persist } from "../bounded.ts";
import type { ReadOptions, ReplyReader } from "../ledger/reply-reader.ts";
import type { ChatRecord, Turn } from "../ledger/turn.ts";

const MODEL = "GPT:gpt-5";

/**
 * Calls the server like the web client: retries failed requests, and sends with their idempotency key. Every series of
 * retries has a limit, after which it throws {@link GaveUp}.
 */
export class ChatClient {
  readonly #url: string;
  readonly #accounts: Arrangement["accounts"];
  readonly #bound: Bound;
  /** Owner of each chat. */
  #owners = new Map<string, Account>();
  #chats = 0;

  constructor({ url, accounts }: Pick<Arrangement, "url" | "accounts">, bound: Bound = {}) {
    this.#url = url;
    this.#accounts = accounts;
    this.#bound = bound;
  }

  /** Returns a client of the same accounts with another URL. */
  at(url: string): ChatClient {
    const other = new ChatClient({ url, accounts: this.#accounts }, this.#bound);
    other.#owners = this.#owners;
    return other;
  }

  /** Calls once, without retries. */
  json<T = unknown>(call: Call): Promise<JsonAnswer<T>> {
    return callJson<T>(this.#url, { token: this.#ownerOf(call).token, ...call });
  }

  /** Opens once, without retries. */
  open(call: Call): Promise<IncomingMessage> {
    return openCall(this.#url, { token: this.#ownerOf(call).token, ...call });
  }

  /** Retries until a response other than 429 and 503. */
  openOnceTaken(call: Call): Promise<IncomingMessage> {
    return this.#persist(`${call.method} ${call.path} was not accepted`, async () => {
      const answer = await this.open(call).catch(() => undefined);
      if (answer && !isLater(answer.statusCode)) return answer;
      answer?.resume();
      return undefined;
    });
  }

  /** Retries until a response other than 429 and 503. @returns its status and body */
  jsonOnceTaken<T = unknown>(call: Call): Promise<JsonAnswer<T>> {
    return this.#persist(`${call.method} ${call.path} was not accepted`, async () => {
      const answer = await this.json<T>(call).catch(() => undefined);
      return answer && !isLater(answer.status) ? answer : undefined;
    });
  }

  /** Creates a chat of the next account, so that chats created at the same time belong to different accounts. */
  async createChat(body: { tools?: string[] } = {}): Promise<ChatRecord> {
    const key = crypto.randomUUID();
    const owner = this.#accounts[this.#chats++ % this.#accounts.length] ?? this.#accounts[0];
    const call = { method: "POST", path: conversationPaths.chats, body, key, token: owner.token };
    const { id } = (await this.#demand<Chat>(call, [201])).body;
    this.#owners.set(id, owner);
    return { id, turns: [], isDeleted: false };
  }

  /** Token of a chat's owner, for calls that name no chat. */
  tokenOf({ id }: ChatRecord): string {
    return (this.#owners.get(id) ?? this.#accounts[0]).token;
  }

  async openChat(chatId: string): Promise<Chat> {
    return (await this.#demand<Chat>({ method: "GET", path: conversationPaths.chat(chatId) }, [200])).body;
  }

  /** Reads the stored reply of a turn; undefined if it is empty. */
  async findReply(turn: Turn): Promise<Message | undefined> {
    return (await this.openChat(turn.chatId)).messages.find(({ id }) => id === turn.replyId);
  }

  async deleteChat(chat: ChatRecord): Promise<void> {
    await this.#demand({ method: "DELETE", path: conversationPaths.chat(chat.id) }, [204, 404]);
    chat.isDeleted = true;
  }

  async stop(turn: Turn): Promise<void> {
    turn.stopAskedAt ??= performance.now();
    await this.#demand({ method: "POST", path: conversationPaths.chatStop(turn.chatId) }, [204]);
    turn.stoppedAt = performance.now();
  }

  /** Sends the question and reads its reply until its end, or until the reader disconnects. */
  async send(turn: Turn, options: ReadOptions = {}): Promise<void> {
    await this.#stream(turn, this.sendCall(turn), options);
  }

  /**
   * Sends the question as one of several clients that use its idempotency key, and reads the reply until its end. An
   * answer that breaks off before it names the reply is no answer: the send is repeated.
   */
  async sendAlong(turn: Turn, reader: ReplyReader): Promise<void> {
    const call = this.sendCall(turn);
    const outcome = await this.#persist(`${call.method} ${call.path} named no reply`, async () => {
      const answer = await this.openOnceTaken(call);
      if (answer.statusCode !== 200) throw new ClientError(`${call.method} ${call.path} answered ${answer.statusCode}`);
      turn.ackedAt ??= performance.now();
      if (await reader.read(answer)) return "over";
      return reader.replyId !== undefined && "begun";
    });
    if (outcome === "begun") await this.follow(turn, {}, reader);
  }

  sendCall({ chatId, question, key, files }: Turn): Call {
    const body = {
      message: question.text,
      ...(question.script.isAutomatic ? {} : { model: MODEL }),
      ...(files.length > 0 && { files }),
    };
    return { method: "POST", path: `${conversationPaths.chatSend(chatId)}?stream=1`, body, key };
  }

  /** Requests the rest of a reply, or a new reply if there is none. */
  async askForMore(turn: Turn, mode: "continue" | "retry", options: ReadOptions = {}): Promise<void> {
    turn.asksForMore++;
    if (mode === "retry") turn.readers = [turn.addReader()];
    if (mode === "retry") turn.reader.replyId = undefined;
    const call = {
      method: "POST",
      path: conversationPaths.chatReply(turn.chatId),
      body: { mode },
      key: crypto.randomUUID(),
    };
    await this.#stream(turn, call, options);
  }

  /** Reads from the reader's position until the end of the reply, or until the reader disconnects. */
  async follow(turn: Turn, options: ReadOptions = {}, reader = turn.reader): Promise<void> {
    await this.#persist(`the reply ${reader.replyId} has not ended`, async () => {
      const answer = await this.join(turn, reader);
      return answer && ((await reader.read(answer, options)) || hasLeft(reader.text, options));
    });
  }

  /** Joins a reply once at its reader's position; undefined if a retry makes sense. */
  join(turn: Turn, reader = turn.reader): Promise<IncomingMessage | undefined> {
    const path = `${conversationPaths.chatReply(turn.chatId)}?reply=${reader.replyId}&from=${reader.text.length}${reader.view.query}`;
    return this.#try({ method: "GET", path }, [200]);
  }

  #ownerOf({ path }: Call): Account {
    const [, , chatId = ""] = path.split("/");
    return this.#owners.get(chatId) ?? this.#accounts[0];
  }

  async #stream(turn: Turn, call: Call, options: ReadOptions): Promise<void> {
    let isBegun = false;
    const onText = (length: number) => {
      isBegun = true;
      turn.ackedAt ??= performance.now();
      options.onText?.(length);
    };
    /** Whether the reply has ended, or its reader has disconnected. */
    const read = async (answer: IncomingMessage): Promise<boolean> => {
      // An earlier attempt was accepted although its response was lost.
      if (answer.statusCode === 409) isBegun = await this.#findBegun(turn, answer);
      else if (await turn.reader.read(answer, { ...options, onText })) return true;
      return turn.replyId !== undefined && hasLeft(turn.reader.text, options);
    };
    const outcome = await this.#persist(`${call.method} ${call.path} was not accepted`, async () => {
      const answer = await this.#try(call, [200, ...(turn.asksForMore > 0 ? [409] : [])]);
      // A reader leaves only after the question is stored; otherwise "retry" would refer to the previous question.
      if (!answer) return undefined;
      if (await read(answer)) return "over";
      return isBegun && "begun";
    });
    if (outcome === "begun") await this.follow(turn, options);
  }

  async #findBegun(turn: Turn, refusal: IncomingMessage): Promise<boolean> {
    refusal.resume();
    const last = (await this.openChat(turn.chatId)).messages.at(-1);
    if (last?.role === "assistant") turn.reader.replyId = last.id;
    return turn.reader.replyId !== undefined;
  }

  /** @returns undefined if a retry makes sense */
  async #try(call: Call, wanted: number[]): Promise<IncomingMessage | undefined> {
    const answer = await this.open(call).catch(() => undefined);
    if (!answer || wanted.includes(answer.statusCode ?? 0)) return answer;
    const status = answer.statusCode;
    const body = (await answer.toArray().catch(() => [])).join("");
    if (isLater(status)) return undefined;
    throw new ClientError(`${call.method} ${call.path} answered ${status} ${body}`);
  }

  async #demand<T>(call: Call, wanted: number[]): Promise<JsonAnswer<T>> {
    return this.#persist(`${call.method} ${call.path} was not answered`, async () => {
      const answer = await this.json<T>(call).catch(() => undefined);
      if (answer === undefined || wanted.includes(answer.status)) return answer;
      if (isLater(answer.status)) return undefined;
      throw new ClientError(`${call.method} ${call.path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    });
  }

  /** {@link persist} with the limit of this client. */
  #persist<T>(problem: string, attempt: () => Promise<T>) {
    return persist(problem, attempt, this.#bound);
  }
}

/** Whether to retry later: the server is not ready, or the account has too many running replies. */
const isLater = (status: number | undefined) => status === 503 || status === 429;

const hasLeft = (text: string, { leaveAt }: ReadOptions) => leaveAt !== undefined && text.length >= leaveAt;
