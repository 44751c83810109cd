import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../../testing/app/random.ts";
import { deathsOf } from "../arrangements/arrangement.ts";
import { ClientError, persist, settleAll } from "../bounded.ts";
import type { Harness } from "../harness.ts";
import { wasCutOffBy } from "../ledger/check-deaths.ts";
import { type ChatRecord, Turn } from "../ledger/turn.ts";
import type { Script } from "../provider/question.ts";
import type { Guarantee } from "../report.ts";
import type { Life } from "./live-through.ts";

const POLL = { pauseMs: 40 };
/** Limit of continuations; each may be interrupted again. */
const MAX_ASKS = 60;

const listedAfterStart: Guarantee = { claim: "interruption reported after the start", allowed: 1000, unit: "ms" };
/** The lease of a dead process plus tolerance. */
const listedAfterDeath: Guarantee = {
  claim: "interruption reported after the death of a process",
  allowed: 10_000,
  unit: "ms",
};

type Way = "follow" | "look" | "stop" | "delete";
const ways: [Way, ...Way[]] = ["follow", "follow", "follow", "follow", "look", "look", "look", "stop", "delete"];

/** Simulates a user who sends messages in chat after chat, and reads each reply in a random way. */
export class Person implements Life {
  readonly chats: ChatRecord[] = [];
  /** Number of messages whose reply has ended. */
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
        const chat = await this.#harness.client.createChat();
        this.chats.push(chat);
        for (let left = this.#random.between(1, 3); left > 0 && !isOver() && !chat.isDeleted; left--) {
          await this.#converse(chat);
          this.done++;
        }
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        this.#harness.report.violate(error.message);
      }
    }
  }

  async #converse(chat: ChatRecord): Promise<void> {
    const script: Script = {
      pieces: this.#random.between(3, 400),
      paceMs: this.#random.between(0, 8),
      thoughts: this.#random.between(0, 6),
    };
    const turn = new Turn(chat.id, this.#harness.provider.ask(script));
    chat.turns.push(turn);
    const way = this.#random.pick(ways);
    const { client } = this.#harness;
    if (way === "follow") await client.send(turn);
    else if (way === "look") await this.#poll(turn);
    else if (way === "stop") await this.#interfere(turn, () => client.stop(turn));
    else await this.#interfere(turn, () => client.deleteChat(chat)).catch(allowWhereDeleted(chat));
    if (way === "follow" || way === "look") await this.settle(turn);
  }

  /** Disconnects early, and polls for the end of the reply. */
  async #poll(turn: Turn): Promise<void> {
    const { client, arrangement, provider, report } = this.#harness;
    await client.send(turn, { leaveAt: this.#random.between(0, turn.question.answer.length) });
    const read = async () => {
      const reply = await client.findReply(turn);
      return reply?.state !== "writing" && { reply };
    };
    const { reply } = await persist(`the reply to message ${turn.question.number} has not ended`, read, POLL);
    if (reply !== undefined && reply.state !== "interrupted") return;
    const listedAt = performance.now();
    const [call] = provider.callsFor(turn.question).slice(-1);
    const deaths = deathsOf(arrangement);
    const death = call && deaths.findLast((one) => wasCutOffBy(call, one));
    if (!death) return;
    if (arrangement.servers.length > 1) {
      report.measure(listedAfterDeath, listedAt - death.at);
      return;
    }
    // The process may have died again before the poll.
    const starts = deaths.flatMap(({ readyAgainAt }) => readyAgainAt ?? []).filter((at) => at <= listedAt);
    report.measure(listedAfterStart, listedAt - Math.max(...starts));
  }

  /** Runs `act` at a random time after the start of a reply. */
  async #interfere(turn: Turn, act: () => Promise<void>): Promise<void> {
    const begun = Promise.withResolvers<void>();
    const reading = this.#harness.client.send(turn, { onText: () => begun.resolve() }).finally(() => begun.resolve());
    const acting = begun.promise.then(async () => {
      await delay(this.#random.between(0, 600));
      await act();
    });
    await settleAll([reading, acting]);
  }

  /** Requests continuations until the reply is complete. */
  async settle(turn: Turn): Promise<void> {
    const { client } = this.#harness;
    for (let asks = 0; asks < MAX_ASKS; asks++) {
      const reply = await client.findReply(turn);
      if (reply?.state === "complete") return;
      if (reply) turn.reader.adopt(reply);
      if (reply?.state === "writing") await client.follow(turn);
      else if (reply?.resumes && this.#random.chance(0.5)) await client.follow(turn);
      else await client.askForMore(turn, reply ? "continue" : "retry");
    }
    throw new ClientError(`the reply ${turn.replyId} is incomplete after ${MAX_ASKS} requests for the rest`);
  }
}

const allowWhereDeleted = (chat: ChatRecord) => (error: unknown) => {
  if (!chat.isDeleted) throw error;
};

/** Returns people, each with random numbers of their own. */
export const peopleOf = (harness: Harness, count: number): Person[] =>
  Array.from({ length: count }, (_, index) => new Person(harness, harness.random.fork(`person ${index}`)));

/** Returns the chats of all people. */
export const chatsOf = (people: readonly Person[]): ChatRecord[] => people.flatMap(({ chats }) => chats);
