import { createClient } from "@redis/client";
import { SECOND } from "#contract/limits.ts";

const CONNECT_TIMEOUT_MS = 2 * SECOND;
/** Interval of pings. A connection is dead if a ping is not answered before the next one, whatever TCP reports. */
export const PING_MS = 3 * SECOND;
/** Maximum of unsent notifications; beyond it the connection is closed. */
const MAX_WAITING = 10_000;

/** One connection to Redis. It does not reconnect; open another one instead. */
export class RedisLink implements Disposable {
  readonly #client: RedisClient;
  readonly #onNotification: (channel: string, sender: string) => void;
  readonly #ended = Promise.withResolvers<Error | undefined>();
  readonly #pings: NodeJS.Timeout;
  readonly #publishing = new Set<Promise<unknown>>();
  #hasAnswered = true;

  private constructor(client: RedisClient, onNotification: (channel: string, sender: string) => void) {
    this.#client = client;
    this.#onNotification = onNotification;
    client.on("error", (error: Error) => this.#end(error)).on("end", () => this.#end());
    this.#pings = setInterval(() => this.#ping(), PING_MS).unref();
  }

  /** @throws if Redis does not answer */
  static async open(
    url: string,
    onNotification: (channel: string, sender: string) => void,
    signal: AbortSignal,
  ): Promise<RedisLink> {
    const client = makeClient(url);
    const link = new RedisLink(client, onNotification);
    const close = () => link[Symbol.dispose]();
    signal.addEventListener("abort", close);
    void link.ended.then(() => signal.removeEventListener("abort", close));
    if (signal.aborted) close();
    try {
      await Promise.race([client.connect(), link.#ended.promise.then(throwAny), throwAfter(CONNECT_TIMEOUT_MS)]);
      return link;
    } catch (error) {
      link[Symbol.dispose]();
      throw error;
    }
  }

  /** Settles when the connection has ended, with the error if there is one. */
  get ended(): Promise<Error | undefined> {
    return this.#ended.promise;
  }

  publish(channel: string, sender: string): void {
    const publishing = this.#client
      .publish(channel, sender)
      .catch((error: Error) => this.#end(error))
      .finally(() => this.#publishing.delete(publishing));
    this.#publishing.add(publishing);
  }

  /** Settles when Redis has received everything published so far. */
  async flush(): Promise<void> {
    await Promise.all(this.#publishing);
  }

  /** Settles when notifications of these channels arrive. */
  async subscribe(channels: string[]): Promise<void> {
    await this.#client.subscribe(channels, (sender, channel) => this.#onNotification(channel, sender));
  }

  async unsubscribe(channels: string[]): Promise<void> {
    await this.#client.unsubscribe(channels);
  }

  #ping(): void {
    if (!this.#hasAnswered) {
      this.#end(new Error("Redis does not answer"));
      return;
    }
    this.#hasAnswered = false;
    this.#client.ping().then(
      () => {
        this.#hasAnswered = true;
      },
      (error: Error) => this.#end(error),
    );
  }

  #end(reason?: Error): void {
    clearInterval(this.#pings);
    this.#ended.resolve(reason);
    this.#client.destroy();
  }

  [Symbol.dispose](): void {
    this.#end();
  }
}

type RedisClient = ReturnType<typeof makeClient>;

function makeClient(url: string) {
  return createClient({
    url,
    // The bus reconnects itself, because it must know when it may have missed notifications.
    socket: { connectTimeout: CONNECT_TIMEOUT_MS, reconnectStrategy: false },
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_WAITING,
    maintNotifications: "disabled",
  });
}

function throwAny(reason: Error | undefined): never {
  throw reason ?? new Error("Redis closed the connection");
}

function throwAfter(ms: number): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error("Redis does not answer")), ms).unref();
  });
}
