import {
  type AccountEvent,
  accountEventSchema,
  type EventsStart,
  eventsStartSchema,
} from "#contract/conversation/account-events.ts";
import type { TestApp } from "../app/start-test-app.ts";
import { readEvents } from "../http/read-events.ts";

/** A reader of `GET /events`. */
export class AccountFollower implements AsyncDisposable {
  readonly start: EventsStart;
  readonly #events: AsyncGenerator<unknown>;
  readonly #leaving: AbortController;

  constructor(start: EventsStart, events: AsyncGenerator<unknown>, leaving: AbortController) {
    this.start = start;
    this.#events = events;
    this.#leaving = leaving;
  }

  /** Returns the next event; `undefined` when the stream has ended or failed. */
  async next(): Promise<AccountEvent | undefined> {
    const event = await this.#events.next().catch(() => ({ done: true, value: undefined }));
    return event.done ? undefined : accountEventSchema.parse(event.value);
  }

  /** Reads up to the first event that fits. @returns all events read, that one last */
  async until(fits: (event: AccountEvent) => boolean): Promise<AccountEvent[]> {
    const seen: AccountEvent[] = [];
    for (let event = await this.next(); event; event = await this.next()) {
      seen.push(event);
      if (fits(event)) return seen;
    }
    throw new Error("The stream ended before");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leaving.abort();
    while (await this.next());
  }
}

export async function followAccount(app: TestApp, token: string, from?: number): Promise<AccountFollower> {
  const leaving = new AbortController();
  const path = from === undefined ? "/events" : `/events?from=${from}`;
  const response = await app.call("GET", path, { token, signal: leaving.signal });
  if (response.status !== 200) throw new Error(`GET ${path} answered ${response.status}`);
  const events: AsyncGenerator<unknown> = readEvents(response);
  return new AccountFollower(eventsStartSchema.parse((await events.next()).value), events, leaving);
}

/** Returns the id of the chat that an event is about. */
export function chatOf(event: AccountEvent | undefined): string | undefined {
  if (!event) return undefined;
  if ("chat" in event) return event.chat.id;
  return "deleted" in event ? event.deleted : undefined;
}
