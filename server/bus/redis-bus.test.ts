import { randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type FaultProxy, startFaultProxy } from "../../testing/servers/fault-proxy.ts";
import { REDIS_PORT, testRedisUrl } from "../../testing/servers/test-redis.ts";
import { RedisBus } from "./redis-bus.ts";
import { PING_MS } from "./redis-link.ts";

/** Counts notifications, and lets a test wait for them. */
class Listener {
  count = 0;
  #heard = Promise.withResolvers<void>();

  readonly hear = (): void => {
    this.count += 1;
    this.#heard.resolve();
    this.#heard = Promise.withResolvers();
  };

  async reaches(count: number): Promise<void> {
    while (this.count < count) await this.#heard.promise;
  }
}

describe.skipIf(testRedisUrl === undefined)("RedisBus", () => {
  let opened: AsyncDisposableStack;
  let proxy: FaultProxy;
  let url: string;
  let prefix: string;
  let logLines: string[];
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    const front = await startFaultProxy(testRedisUrl ?? "", REDIS_PORT);
    proxy = opened.use(front.proxy);
    url = front.url;
    prefix = `parley-test:${randomUUID()}:`;
    logLines = [];
  });
  afterEach(() => opened.disposeAsync());

  const lines = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logLines.push(chunk.toString());
      done();
    },
  });
  const messages = () => logLines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  const openBus = async (through = url) =>
    opened.use(await RedisBus.open({ url: through, prefix, log: pino({ level: "info" }, lines) }));

  /**
   * Subscribes and waits until notifications from others can arrive: the bus sends one itself when the subscription is
   * active.
   */
  async function listenOn(bus: RedisBus, topic: string): Promise<Listener> {
    const listener = new Listener();
    bus.subscribe(topic, listener.hear);
    await listener.reaches(1);
    return listener;
  }

  it("delivers a notification published right before the process ends", async () => {
    const listener = await listenOn(await openBus(), "last words");
    const leaving = await RedisBus.open({ url, prefix, log: pino({ level: "info" }, lines) });
    leaving.publish("last words");
    await leaving[Symbol.asyncDispose]();
    await listener.reaches(2);
  });

  it("delivers notifications between processes, each once, and its own immediately", async () => {
    const [here, there] = [await openBus(), await openBus()];
    expect([here.hearsAll, there.hearsAll]).toEqual([true, true]);
    const [near, far, unrelated] = [
      await listenOn(here, "account:ada"),
      await listenOn(there, "account:ada"),
      await listenOn(there, "account:bob"),
    ];
    here.publish("account:ada");
    expect(near.count).toBe(2);
    await far.reaches(2);
    there.publish("account:ada");
    await near.reaches(3);
    expect([near.count, far.count, unrelated.count]).toEqual([3, 3, 1]);
  });

  it("unsubscribes when the last listener of a topic is removed, and subscribes again for a new one", async () => {
    const [here, there] = [await openBus(), await openBus()];
    const gone = new Listener();
    const leave = there.subscribe("t", () => undefined);
    const leaveToo = there.subscribe("t", gone.hear);
    leave();
    leave();
    await gone.reaches(1);
    here.publish("t");
    await gone.reaches(2);
    leaveToo();
    // Waits for later notifications: by then Redis has processed the unsubscription.
    await listenOn(there, "next");
    await listenOn(there, "after next");
    const count = gone.count;
    const back = await listenOn(there, "t");
    here.publish("t");
    await back.reaches(2);
    expect(gone.count).toBe(count);
  });

  it("notifies within the process while Redis is unavailable, logs it once, and notifies all when it is back", async () => {
    const [here, there] = [await openBus(), await openBus(testRedisUrl)];
    const near = await listenOn(here, "t");
    const far = await listenOn(there, "t");
    await proxy.set("refuse");
    await vi.waitUntil(() => !here.hearsAll);
    here.publish("t");
    expect(near.count).toBe(2);
    there.publish("t");
    const late = new Listener();
    here.subscribe("late", late.hear);
    await proxy.set("pass");
    await near.reaches(3);
    await late.reaches(1);
    expect([here.hearsAll, far.count]).toEqual([true, 2]);
    expect(messages()).toEqual([
      "Redis is unavailable: changes by other servers arrive later",
      "Redis is available again",
    ]);
    here.publish("t");
    await far.reaches(3);
  });

  it("starts without Redis, and connects later", async () => {
    await proxy.set("refuse");
    const here = await openBus();
    expect(here.hearsAll).toBe(false);
    const listener = new Listener();
    here.subscribe("t", listener.hear);
    here.publish("t");
    expect(listener.count).toBe(1);
    await proxy.set("pass");
    await listener.reaches(2);
    expect(here.hearsAll).toBe(true);
  });

  it("does not wait long for a Redis that does not answer, and does not count it as connected", async () => {
    await proxy.set("swallow");
    const here = await openBus();
    expect(here.hearsAll).toBe(false);
    await proxy.set("pass");
    await listenOn(here, "t");
  });

  it("detects a Redis that stops answering", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const here = await openBus();
    const listener = await listenOn(here, "t");
    await proxy.set("swallow");
    vi.advanceTimersByTime(PING_MS);
    expect(here.hearsAll).toBe(true);
    vi.advanceTimersByTime(PING_MS);
    await vi.waitUntil(() => !here.hearsAll);
    await proxy.set("pass");
    await listener.reaches(2);
  });

  it("never logs the password of Redis", async () => {
    const secret = new URL(url);
    secret.username = "nobody";
    secret.password = "hidden-word";
    await openBus(secret.href);
    expect(messages()[0]).toMatch(/^Redis is unavailable/);
    expect(logLines.join("")).not.toContain("hidden-word");
  });
});
