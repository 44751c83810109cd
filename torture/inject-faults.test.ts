import { expect, test } from "vitest";
import { persist } from "./bounded.ts";
import { type Life, liveThrough } from "./clients/live-through.ts";
import type { Harness } from "./harness.ts";
import { type Injection, injectFaults } from "./inject-faults.ts";
import { Report } from "./report.ts";

/** Injects faults. @returns the events in order, and the violations as `where: what` */
async function inject(
  faults: (report: Report, events: string[]) => Injection[],
  { restore = () => Promise.resolve(), limitMs = 60_000 } = {},
) {
  const events: string[] = [];
  const report = new Report(() => undefined);
  const record = async () => {
    events.push("restore");
    await restore();
  };
  await injectFaults(faults(report, events), { report, say: () => undefined, restore: record, limitMs });
  return { events, violations: report.violations.map(({ where, what }) => `${where}: ${what}`) };
}

const fault = (where: string, run: () => unknown, isGentle = false): Injection => ({
  where,
  isGentle,
  run: async () => void (await run()),
});

const giveUp = () => persist("the upload was not accepted", () => false, { giveUpMs: 1 });

test("reports a fault whose client gives up, restores the servers and injects the other faults", async () => {
  const { events, violations } = await inject((_, events) => [
    fault("sqlite/kills", () => events.push("kills")),
    fault("sqlite/upload-kills", giveUp),
    fault("sqlite/restarts", () => events.push("restarts")),
  ]);
  expect(events).toEqual(["kills", "restore", "restarts"]);
  expect(violations).toEqual([
    expect.stringMatching(/^sqlite\/upload-kills: the upload was not accepted within 1 ms, in \d+ attempts$/),
  ]);
});

test("restores the servers only after all gentle faults have ended", async () => {
  const { events, violations } = await inject((_, events) => [
    fault("sqlite/cuts", () => Promise.reject(new Error("a mistake")), true),
    fault("sqlite/kills", () => events.push("kills")),
    fault("sqlite/stops", () => giveUp().catch(() => events.push("stops")), true),
  ]);
  expect(events).toEqual(["stops", "restore", "kills"]);
  expect(violations).toEqual([expect.stringContaining("sqlite/cuts: Error: a mistake")]);
});

test("reports a fault that does not end and injects the next one", async () => {
  const { events, violations } = await inject(
    (_, events) => [
      fault("sqlite/kills", () => new Promise(() => {})),
      fault("sqlite/restarts", () => events.push("restarts")),
    ],
    { limitMs: 5 },
  );
  expect(events).toEqual(["restore", "restarts"]);
  expect(violations).toEqual(["sqlite/kills: the fault did not end within 5 ms"]);
});

test("names the faults that were not injected because the servers did not start again", async () => {
  const { violations } = await inject(
    () => [
      fault("sqlite/kills", () => Promise.reject(new Error("a mistake"))),
      fault("sqlite/restarts", () => undefined),
      fault("sqlite/clock-jumps", () => undefined),
    ],
    { restore: () => Promise.reject(new Error("no port")) },
  );
  expect(violations[1]).toContain(
    "these faults were not injected: sqlite/restarts, sqlite/clock-jumps (Error: no port",
  );
});

/** A harness whose server is started again after the faults. */
function harnessFor(report: Report, events: string[]) {
  const end = async (signal: string) => void events.push(signal);
  const start = async () => void events.push("start");
  const servers = [{ name: "a", isRunning: false, start, end, thaw: () => undefined }];
  return { report, arrangement: { servers } } as unknown as Pick<Harness, "report" | "arrangement">;
}

const lifeOf = (live: Life["live"]): Life => ({ done: 0, live });

test("a client that gives up while faults are injected is reported, and the other clients live on", async () => {
  const { events, violations } = await inject((report, events) => [
    fault("sqlite/kills", async () => {
      const over = Promise.withResolvers<void>();
      const impatient = lifeOf(async () => void (await giveUp()));
      const patient = lifeOf(async (isOver) => {
        await over.promise;
        events.push(`over: ${isOver()}`);
      });
      await liveThrough(harnessFor(report.within("sqlite/kills"), events), [impatient, patient], async () => {
        await persist("the violation was not reported", () => report.violations.length > 0);
        events.push("kill");
        setImmediate(over.resolve);
      });
    }),
    fault("sqlite/restarts", () => events.push("restarts")),
  ]);
  expect(events).toEqual(["kill", "start", "over: true", "restarts"]);
  expect(violations).toEqual([expect.stringContaining("sqlite/kills: the upload was not accepted within 1 ms")]);
});

test("restores the servers and ends the clients if the injection of a fault fails", async () => {
  const { events, violations } = await inject((report, events) => [
    fault("sqlite/kills", () =>
      liveThrough(
        harnessFor(report, events),
        [
          lifeOf(
            async (isOver) => void (await persist("the fault was not over", isOver).then(() => events.push("over"))),
          ),
        ],
        () => Promise.reject(new Error("no start")),
      ),
    ),
  ]);
  expect(events).toEqual(["SIGKILL", "start", "over", "restore"]);
  expect(violations).toEqual([expect.stringContaining("sqlite/kills: Error: no start")]);
});
