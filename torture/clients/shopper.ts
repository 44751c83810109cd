import { setTimeout as delay } from "node:timers/promises";
import type { Message } from "#contract/conversation/conversation.ts";
import type { ToolPart } from "#contract/conversation/known-parts.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { DecisionAnswer } from "#contract/conversation/tool-calls.ts";
import type { Random } from "../../testing/app/random.ts";
import { callsOf, waitingCallsOf } from "../../testing/tools/calls-of.ts";
import { ClientError, settleAll } from "../bounded.ts";
import type { Harness } from "../harness.ts";
import { type Decision, itemOf, type UnknownSighting } from "../ledger/tool-records.ts";
import { type ChatRecord, Turn } from "../ledger/turn.ts";
import type { Life } from "./live-through.ts";

/** Limit of the decisions and continuations of one reply; each may be interrupted again. */
const MAX_ASKS = 100;
const PAUSE_MS = 100;
const MAX_ROUNDS = 3;
const MAX_CALLS = 4;

/** `decide`: on all calls. `stop`: at a random time. `leave`: another message while a reply waits. */
type Way = "decide" | "stop" | "leave";
const ways: [Way, ...Way[]] = ["decide", "decide", "decide", "decide", "stop", "leave"];
const toolNames: [string, ...string[]] = ["buy", "buy", "look_up", "weigh"];

/** Simulates a user with two tabs who lets models call the tools of a shop, and decides on their calls. */
export class Shopper implements Life {
  readonly chats: ChatRecord[] = [];
  readonly decisions: Decision[] = [];
  readonly unknowns: UnknownSighting[] = [];
  /** Number of questions whose reply has ended. */
  done = 0;
  readonly #harness: Harness;
  readonly #random: Random;

  constructor(harness: Harness, random: Random) {
    this.#harness = harness;
    this.#random = random;
  }

  async live(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      try {
        const chat = await this.#createChat();
        for (let left = this.#random.between(1, 3); left > 0 && !isOver(); left--) await this.#shop(chat);
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        this.#harness.report.violate(error.message);
      }
    }
  }

  /** Asks one question in a chat of its own, approves every call, and reads the reply to its end. */
  async shopOnce(): Promise<void> {
    const chat = await this.#createChat();
    const turn = this.#ask(chat, [["buy", "look_up"], ["weigh"]]);
    await this.#harness.client.send(turn);
    await this.#settle(turn, "decide");
  }

  async #createChat(): Promise<ChatRecord> {
    const chat = await this.#harness.client.createChat({ tools: ["shop"] });
    this.chats.push(chat);
    return chat;
  }

  #ask(chat: ChatRecord, calls: string[][]): Turn {
    const script = { pieces: this.#random.between(8, 120), paceMs: this.#random.between(0, 6), thoughts: 2, calls };
    const turn = new Turn(chat.id, this.#harness.provider.ask(script));
    chat.turns.push(turn);
    return turn;
  }

  /** Asks a question; after a reply that is left waiting, another one. */
  async #shop(chat: ChatRecord): Promise<void> {
    const way = this.#random.pick(ways);
    const rounds = Array.from({ length: this.#random.between(1, MAX_ROUNDS) }, () =>
      Array.from({ length: this.#random.between(1, MAX_CALLS) }, () => this.#random.pick(toolNames)),
    );
    const turn = this.#ask(chat, rounds);
    const { client } = this.#harness;
    if (way === "stop") await this.#stopDuring(turn);
    else await client.send(turn);
    await this.#settle(turn, way);
    this.done++;
    const isLeft = (await client.findReply(turn))?.state === "waiting";
    if (isLeft) await this.#shop(chat);
  }

  async #stopDuring(turn: Turn): Promise<void> {
    const { client, report } = this.#harness;
    const begun = Promise.withResolvers<void>();
    const reading = client.send(turn, { onText: () => begun.resolve() }).finally(() => begun.resolve());
    const stopping = begun.promise.then(async () => {
      await delay(this.#random.between(0, 1500));
      await client.stop(turn);
      report.count("stop of a reply with tools");
    });
    await settleAll([reading, stopping]);
  }

  /** Reads, decides and asks for the rest until the reply has ended; with the way `leave` until it waits. */
  async #settle(turn: Turn, way: Way): Promise<void> {
    const { client, report } = this.#harness;
    for (let asks = 0; asks < MAX_ASKS; asks++) {
      const reply = await client.findReply(turn);
      if (reply) this.#note(reply);
      const state = reply?.state;
      if (state === "complete" || state === "stopped") return this.#readToEnd(turn);
      if (state === "failed") throw new ClientError(`the reply ${turn.replyId} with tools failed: ${reply?.code}`);
      if (state === "waiting") {
        if (way === "leave") {
          report.count("message while a call waits");
          return;
        }
        await this.#decide(turn, reply as Message);
      } else if (state === "writing" || (reply?.resumes && this.#random.chance(0.7))) await this.#follow(turn);
      else {
        if (reply) turn.reader.adopt(reply);
        await client.askForMore(turn, reply ? "continue" : "retry");
      }
    }
    throw new ClientError(`the reply ${turn.replyId} with tools is incomplete after ${MAX_ASKS} requests`);
  }

  /** Reads in both tabs, while a third reader joins at a random position at a random time. */
  async #follow(turn: Turn): Promise<void> {
    const { client } = this.#harness;
    if (turn.readers.length === 1) turn.addReader();
    const join = async () => {
      await delay(this.#random.between(0, 400));
      const reader = turn.addReader();
      reader.text = turn.reader.text.slice(0, this.#random.between(0, turn.reader.text.length));
      await client.follow(turn, {}, reader);
    };
    const tabs = turn.readers.slice(0, 2).map((reader) => client.follow(turn, {}, reader));
    await settleAll(this.#random.chance(0.3) ? [...tabs, join()] : tabs);
  }

  /** Each reader reads on from where it is, so that all must have the same in the end. */
  async #readToEnd(turn: Turn): Promise<void> {
    await settleAll(turn.readers.map((reader) => this.#harness.client.follow(turn, {}, reader)));
  }

  #note(reply: Message): void {
    // With a result it is not asked about: Stop has ended it.
    for (const part of callsOf(reply))
      if (part.state === "unknown" && part.result === undefined)
        this.unknowns.push({ item: itemOf(part), at: performance.now() });
  }

  /** Decides in two tabs at once, after a while: mostly the same, sometimes each on its own calls, or against each other. */
  async #decide(turn: Turn, reply: Message): Promise<void> {
    const { report } = this.#harness;
    await delay(this.#random.between(0, 300));
    const plan = waitingCallsOf(reply).map((call) => ({ call, answer: this.#answerTo(call) }));
    const draw = this.#random.fraction();
    const opposed = plan.map(({ call }) => ({ call, answer: "no" as DecisionAnswer }));
    let tabs = [plan, plan];
    if (draw < 0.15) tabs = [plan, opposed];
    else if (draw < 0.3 && plan.length > 1) tabs = [plan.slice(0, 1), plan.slice(1)];
    const noted = this.#noteDecisions(tabs);
    const statuses = await settleAll(tabs.map((tab) => this.#sendDecisions(turn, tab)));
    for (const decision of noted) decision.settledAt = performance.now();
    report.count("decision in two tabs at once");
    if (tabs[0]?.length !== plan.length) return;
    const accepted = statuses.filter((status) => status === 200).length;
    report.check("two tabs that decide at once are one", accepted <= 1, `reply ${reply.id}: answers were ${statuses}`);
    const isRuled = statuses.every((status) => [0, 200, 409, 429, 503].includes(status));
    report.check("a decision is accepted, or refused because another was", isRuled, `answers were ${statuses}`);
    if (accepted === 0) await delay(PAUSE_MS);
  }

  #answerTo({ state }: ToolPart): DecisionAnswer {
    if (state === "unknown") return this.#random.chance(0.5) ? "once" : "skip";
    return this.#random.chance(0.75) ? "once" : "no";
  }

  #noteDecisions(tabs: readonly { call: ToolPart; answer: DecisionAnswer }[][]): Decision[] {
    const byCall = Map.groupBy(tabs.flat(), ({ call }) => call);
    const noted = [...byCall].map(([call, given]) => ({
      item: itemOf(call),
      answers: given.map(({ answer }) => answer),
      onState: call.state === "unknown" ? ("unknown" as const) : ("proposed" as const),
      sentAt: performance.now(),
      settledAt: Number.POSITIVE_INFINITY,
    }));
    this.decisions.push(...noted);
    return noted;
  }

  /** @returns the status; 0 if the answer was lost */
  async #sendDecisions(turn: Turn, tab: readonly { call: ToolPart; answer: DecisionAnswer }[]): Promise<number> {
    const decisions = tab.map(({ call: { seq, digest, attempt }, answer }) => ({ seq, digest, attempt, answer }));
    const path = conversationPaths.chatDecision(turn.chatId);
    const call = { method: "POST", path, body: { reply: turn.replyId, decisions } };
    return this.#harness.client.json(call).then(
      ({ status }) => status,
      () => 0,
    );
  }
}
