import * as z from "zod/mini";
import { type AccountChange, type AccountEvent, accountEventSchema } from "#contract/conversation/account-events.ts";
import { SECOND } from "#contract/limits.ts";
import type { api as client } from "../client.ts";
import type { PageVisibility } from "../page-visibility.ts";
import { AccountEvents, SILENCE_MS } from "./account-events.ts";
import { StoredEventPosition } from "./stored-event-position.ts";
import type { TabChannel, TabTools } from "./tab-tools.ts";

/** Time that a visible tab waits for the leader's response before it takes the lead itself. */
const ANSWER_MS = 5 * SECOND;

const position = z.nullable(z.number());
/** Messages between tabs. `before`: the leader's position before the event. */
const messageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("event"), event: accountEventSchema, before: position }),
  z.object({ type: z.literal("alive"), at: position, isLive: z.boolean() }),
  z.object({ type: z.literal("hello") }),
]);
type Message = z.infer<typeof messageSchema>;

type Deps = {
  api: Pick<typeof client, "open">;
  account: string;
  /** Null: this tab has a stream of its own while it is visible. */
  tabs: TabTools | null;
  page: PageVisibility;
  onChange: (change: AccountChange) => void;
  /** Events were missed, or there was no position yet: the shown data must be read again. */
  onGap: () => void;
  /** Reports that changes are received again. */
  onLive?: () => void;
};

/**
 * Reads the account's events over one connection for all tabs of the browser. The tab that holds a lock is the leader:
 * it reads the events and sends them to the others. When it closes, the next tab continues at its position. A visible
 * tab replaces a leader without signs of life (suspended by a phone).
 */
export class SharedEvents {
  readonly #deps: Deps;
  readonly #unsubscribe: () => void;
  readonly #channel: TabChannel | null;
  #at: number | null = null;
  #isLive = false;
  #isOver = false;
  #stream: AccountEvents | null = null;
  /** Aborts the stream of this tab. */
  #reading: AbortController | null = null;
  /** Aborts the wait for the lock. */
  #queueing: AbortController | null = null;
  #deadline: ReturnType<typeof setTimeout> | undefined;
  readonly #storedPosition: StoredEventPosition;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#storedPosition = new StoredEventPosition(deps.account);
    const { tabs, page, account } = deps;
    this.#channel = tabs?.openChannel(`parley-events:${account}`) ?? null;
    this.#channel?.listen((message) => this.#receive(message));
    this.#unsubscribe = page.subscribe(() => this.#onVisibilityChange());
    if (tabs) void this.#queue(tabs);
    this.#onVisibilityChange();
  }

  /** Whether changes are received now; otherwise they are received after a reconnect. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /** Whether this tab reads the events, for all tabs. */
  get isLeader(): boolean {
    return this.#isReading;
  }

  get #isReading(): boolean {
    return this.#reading !== null && !this.#reading.signal.aborted;
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#deadline);
    this.#unsubscribe();
    this.#reading?.abort();
    this.#queueing?.abort();
    this.#channel?.close();
    this.#storedPosition.forget();
  }

  /** Waits for the lock, leads, and waits again after another tab has stolen the lock. */
  async #queue({ locks }: TabTools): Promise<void> {
    let isSeizing = false;
    while (!this.#isOver) {
      const queueing = new AbortController();
      this.#queueing = queueing;
      const options = isSeizing ? { steal: true } : { signal: queueing.signal };
      try {
        await locks.request(`parley-events:${this.#deps.account}`, options, () => this.#read());
      } catch (cause) {
        // Neither stolen nor aborted: this browser refuses locks.
        if (!(cause instanceof DOMException && cause.name === "AbortError")) await this.#read();
      }
      this.#reading?.abort();
      isSeizing = queueing.signal.aborted;
    }
  }

  /** Reads events, also for the other tabs, until this tab is replaced or, without locks, hidden. */
  async #read(): Promise<void> {
    const reading = new AbortController();
    if (this.#isOver) return;
    this.#reading = reading;
    clearTimeout(this.#deadline);
    // A position that this page has read while loading is newer than a stored one.
    this.#at ??= this.#storedPosition.read();
    this.#stream = new AccountEvents({ api: this.#deps.api, from: this.#at, signal: reading.signal });
    for await (const news of this.#stream) {
      if (reading.signal.aborted) break;
      if (news.type === "event") this.#pass(news.event);
      else {
        this.#setLive(news.type === "alive");
        this.#postAlive();
      }
    }
    if (this.#reading !== reading) return;
    this.#reading = null;
    this.#stream = null;
    this.#isLive = false;
  }

  #setLive(isLive: boolean): void {
    const wasLive = this.#isLive;
    this.#isLive = isLive;
    if (isLive && !wasLive) this.#deps.onLive?.();
  }

  #pass(event: AccountEvent): void {
    const before = this.#at;
    this.#take(event, before);
    if (this.#at !== null) this.#storedPosition.write(this.#at);
    this.#post({ type: "event", event, before });
  }

  #post(message: Message): void {
    this.#channel?.post(message);
  }

  #postAlive(): void {
    this.#post({ type: "alive", at: this.#at, isLive: this.#isLive });
  }

  #receive(data: unknown): void {
    const parsed = messageSchema.safeParse(data);
    if (!parsed.success || this.#isOver) return;
    const message = parsed.data;
    if (message.type === "hello") {
      if (!this.#isReading) return;
      this.#stream?.hurry();
      this.#postAlive();
      return;
    }
    // Sent by a tab that has not noticed yet that it was replaced.
    if (this.#isReading) return;
    this.#expect(SILENCE_MS);
    if (message.type === "event") this.#take(message.event, message.before);
    else {
      this.#setLive(message.isLive);
      this.#catchUp(message.at);
    }
  }

  /** Adopts the leader's position `at`: a tab behind it was suspended and has missed events. */
  #catchUp(at: number | null): void {
    if (at === null || (this.#at !== null && at <= this.#at)) return;
    const hasMissed = this.#at !== null;
    this.#at = at;
    if (hasMissed) this.#deps.onGap();
  }

  #take(event: AccountEvent, before: number | null): void {
    const at = this.#at;
    if ("isReset" in event) {
      // A resumed stream sends the missing events itself.
      if (before !== null && !event.isReset) return;
      this.#at = event.at;
      if (at === null || event.isReset || at < event.at) this.#deps.onGap();
      return;
    }
    if (at !== null && event.at <= at) return;
    this.#at = event.at;
    if (at !== null && before !== null && at < before) this.#deps.onGap();
    else this.#deps.onChange(event);
  }

  #onVisibilityChange(): void {
    const isVisible = this.#deps.page.isVisible();
    if (!this.#channel) {
      if (!isVisible) this.#reading?.abort();
      else if (!this.#isReading) void this.#read();
    } else if (!this.#isReading) {
      clearTimeout(this.#deadline);
      if (!isVisible) return;
      this.#post({ type: "hello" });
      this.#expect(ANSWER_MS);
    }
    if (isVisible) this.#stream?.hurry();
  }

  /** Takes the lead if this tab is visible and receives nothing from the leader within `ms`. */
  #expect(ms: number): void {
    clearTimeout(this.#deadline);
    if (!this.#deps.page.isVisible()) return;
    this.#deadline = setTimeout(() => this.#queueing?.abort(), ms);
  }
}
