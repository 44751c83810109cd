import * as z from "zod/mini";
import { type AccountChange, type AccountEvent, accountEventSchema } from "#contract/account-events.ts";
import { SECOND } from "#contract/limits.ts";
import { AccountEvents, SILENCE_MS } from "./account-events.ts";
import type { api as client } from "./client.ts";
import type { PageVisibility } from "./page-visibility.ts";
import { StoredPlace } from "./stored-place.ts";
import type { TabChannel, TabTools } from "./tab-tools.ts";

/** So long a visible tab waits for the answer of the one that leads before it takes the lead itself. */
const ANSWER_MS = 5 * SECOND;

const position = z.nullable(z.number());
/** What tabs tell each other. `before`: where the leading tab stood before the event. */
const messageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("event"), event: accountEventSchema, before: position }),
  z.object({ type: z.literal("alive"), at: position, isLive: z.boolean() }),
  z.object({ type: z.literal("hello") }),
]);
type Message = z.infer<typeof messageSchema>;

type Parts = {
  api: Pick<typeof client, "open">;
  account: string;
  /** Null: this tab has a stream of its own while it is visible. */
  tabs: TabTools | null;
  page: PageVisibility;
  onChange: (change: AccountChange) => void;
  /** Something was missed, or nothing was known: what is shown must be read anew. */
  onGap: () => void;
  /** Changes are told now, after they were not. */
  onLive?: () => void;
};

/**
 * The account's events, over one connection for all tabs of the browser: the tab that holds a lock reads them and tells
 * the others; when it goes, the next one takes over where it stood. A leading tab that gives no sign of life (a phone
 * has put it to sleep) is relieved by a visible one.
 */
export class SharedEvents {
  readonly #parts: Parts;
  readonly #stopLooking: () => void;
  readonly #channel: TabChannel | null;
  #at: number | null = null;
  #isLive = false;
  #isOver = false;
  #stream: AccountEvents | null = null;
  /** Ends the reading that is under way here. */
  #reading: AbortController | null = null;
  /** Ends the waiting for the lock. */
  #queueing: AbortController | null = null;
  #deadline: ReturnType<typeof setTimeout> | undefined;
  readonly #place: StoredPlace;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#place = new StoredPlace(parts.account);
    const { tabs, page, account } = parts;
    this.#channel = tabs?.openChannel(`parley-events:${account}`) ?? null;
    this.#channel?.listen((message) => this.#hear(message));
    this.#stopLooking = page.subscribe(() => this.#look());
    if (tabs) void this.#queue(tabs);
    this.#look();
  }

  /** Whether changes are told now; while not, they are told later. */
  get isLive(): boolean {
    return this.#isLive;
  }

  get #isReading(): boolean {
    return this.#reading !== null && !this.#reading.signal.aborted;
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#deadline);
    this.#stopLooking();
    this.#reading?.abort();
    this.#queueing?.abort();
    this.#channel?.close();
    this.#place.forget();
  }

  /** Waits for the lead, leads, and waits again after it was taken away. */
  async #queue({ locks }: TabTools): Promise<void> {
    let isSeizing = false;
    while (!this.#isOver) {
      const queueing = new AbortController();
      this.#queueing = queueing;
      const options = isSeizing ? { steal: true } : { signal: queueing.signal };
      try {
        await locks.request(`parley-events:${this.#parts.account}`, options, () => this.#read());
      } catch (cause) {
        // Neither robbed nor called off: this browser gives no locks here.
        if (!(cause instanceof DOMException && cause.name === "AbortError")) await this.#read();
      }
      this.#reading?.abort();
      isSeizing = queueing.signal.aborted;
    }
  }

  /** Reads events, for the other tabs too, until this tab is relieved or hidden without a lock. */
  async #read(): Promise<void> {
    const reading = new AbortController();
    if (this.#isOver) return;
    this.#reading = reading;
    clearTimeout(this.#deadline);
    // What a page reads while it loads is newer than any place that was kept.
    this.#at ??= this.#place.read();
    this.#stream = new AccountEvents({ api: this.#parts.api, from: this.#at, signal: reading.signal });
    for await (const news of this.#stream) {
      if (reading.signal.aborted) break;
      if (news.type === "event") this.#pass(news.event);
      else {
        this.#setLive(news.type === "alive");
        this.#tellAlive();
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
    if (isLive && !wasLive) this.#parts.onLive?.();
  }

  #pass(event: AccountEvent): void {
    const before = this.#at;
    this.#take(event, before);
    if (this.#at !== null) this.#place.write(this.#at);
    this.#post({ type: "event", event, before });
  }

  #post(message: Message): void {
    this.#channel?.post(message);
  }

  #tellAlive(): void {
    this.#post({ type: "alive", at: this.#at, isLive: this.#isLive });
  }

  #hear(data: unknown): void {
    const parsed = messageSchema.safeParse(data);
    if (!parsed.success || this.#isOver) return;
    const message = parsed.data;
    if (message.type === "hello") {
      if (!this.#isReading) return;
      this.#stream?.hurry();
      this.#tellAlive();
      return;
    }
    // Told by a tab that does not know yet that it is relieved.
    if (this.#isReading) return;
    this.#expect(SILENCE_MS);
    if (message.type === "event") this.#take(message.event, message.before);
    else {
      this.#setLive(message.isLive);
      this.#catchUp(message.at);
    }
  }

  /** What a leading tab has told stands at `at`: a tab that stands before it was asleep. */
  #catchUp(at: number | null): void {
    if (at === null || (this.#at !== null && at <= this.#at)) return;
    const hasMissed = this.#at !== null;
    this.#at = at;
    if (hasMissed) this.#parts.onGap();
  }

  #take(event: AccountEvent, before: number | null): void {
    const at = this.#at;
    if ("isReset" in event) {
      // A resumed stream sends the missing events itself.
      if (before !== null && !event.isReset) return;
      this.#at = event.at;
      if (at === null || event.isReset || at < event.at) this.#parts.onGap();
      return;
    }
    if (at !== null && event.at <= at) return;
    this.#at = event.at;
    if (at !== null && before !== null && at < before) this.#parts.onGap();
    else this.#parts.onChange(event);
  }

  #look(): void {
    const isVisible = this.#parts.page.isVisible();
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

  /** A visible tab hears from the leading one within `ms`, or leads itself. */
  #expect(ms: number): void {
    clearTimeout(this.#deadline);
    if (!this.#parts.page.isVisible()) return;
    this.#deadline = setTimeout(() => this.#queueing?.abort(), ms);
  }
}
