import type { Browser, Page } from "@playwright/test";
import type { Row } from "../results/row.ts";

type TraceEvent = {
  name: string;
  cat: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
};

/** `busy`, `busyCpu`: fraction of the time, by wall clock and by the thread's processor time. Durations in ms. */
export type Busyness = {
  busy: number;
  busyCpu: number;
  /** Number of tasks of more than 50 ms. */
  longTasks: number;
  longCpuTasks: number;
  longestMs: number;
  longestCpuMs: number;
};

const LONG_MS = 50;
const ALLOWED_PERCENT = 25;

/** Formats rows by processor time, which excludes the time that a shared machine takes away within tasks. */
export function busynessRows(name: string, { busyCpu, longCpuTasks, longestCpuMs }: Busyness): Row[] {
  return [
    { name: `${name}: main thread busy`, value: 100 * busyCpu, unit: "%", allowed: ALLOWED_PERCENT },
    { name: `${name}: tasks over ${LONG_MS} ms`, value: longCpuTasks, unit: "count", allowed: 0 },
    { name: `${name}: longest task`, value: longestCpuMs, unit: "ms", allowed: LONG_MS },
  ];
}

/** Traces the page's main thread while `work` runs. */
export async function watchMainThread(browser: Browser, page: Page, work: () => Promise<unknown>): Promise<Busyness> {
  await browser.startTracing(page, { categories: ["-*", "toplevel"] });
  const startedAt = performance.now();
  await work();
  const elapsedMs = performance.now() - startedAt;
  const trace = await browser.stopTracing();
  const { traceEvents } = JSON.parse(trace.toString("utf8")) as { traceEvents: TraceEvent[] };
  const tasks = tasksOfPage(traceEvents);
  const clock = tasks.map(({ dur = 0 }) => dur / 1000);
  // Processor time, because a shared machine preempts tasks.
  const cpu = tasks.map(({ dur = 0, tdur = dur }) => tdur / 1000);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    busy: sum(clock) / elapsedMs,
    busyCpu: sum(cpu) / elapsedMs,
    longTasks: clock.filter((ms) => ms > LONG_MS).length,
    longCpuTasks: cpu.filter((ms) => ms > LONG_MS).length,
    longestMs: Math.max(0, ...clock),
    longestCpuMs: Math.max(0, ...cpu),
  };
}

/** Durations of measured spans in ms. `waiting`: time in which the main thread was idle. */
export type Spans = { clock: number[]; waiting: number[]; cpu: number[] };

/**
 * Durations of the spans that the page measures under this name (`performance.measure`), which must not be nested: wall
 * clock, idle time of the main thread, and its processor time.
 */
export async function timeSpans(
  browser: Browser,
  page: Page,
  name: string,
  work: () => Promise<unknown>,
): Promise<Spans> {
  await browser.startTracing(page, { categories: ["-*", "toplevel", "blink.user_timing"] });
  await work();
  const trace = await browser.stopTracing();
  const { traceEvents } = JSON.parse(trace.toString("utf8")) as { traceEvents: TraceEvent[] };
  const tasks = tasksOfPage(traceEvents);
  const times = (ph: string) =>
    traceEvents
      .filter((event) => event.name === name && event.ph === ph)
      .map(({ ts }) => ts)
      .sort((a, b) => a - b);
  const ends = times("e");
  const spans = times("b").map((from, index) => ({ from, to: ends[index] ?? from }));
  const worked = (span: { from: number; to: number }, of: (task: TraceEvent) => number) =>
    tasks.reduce((sum, task) => {
      const { ts, dur = 0 } = task;
      const shared = Math.min(ts + dur, span.to) - Math.max(ts, span.from);
      return shared <= 0 ? sum : sum + of(task) * (shared / dur);
    }, 0);
  return {
    clock: spans.map(({ from, to }) => (to - from) / 1000),
    waiting: spans.map((span) => (span.to - span.from - worked(span, ({ dur = 0 }) => dur)) / 1000),
    cpu: spans.map((span) => worked(span, ({ dur = 0, tdur = dur }) => tdur) / 1000),
  };
}

/** Tasks of the busiest main thread: only one page is active. */
function tasksOfPage(events: readonly TraceEvent[]): TraceEvent[] {
  const mains = new Set(
    events
      .filter((event) => event.name === "thread_name" && JSON.stringify(event).includes("CrRendererMain"))
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const byThread = new Map<string, TraceEvent[]>();
  for (const event of events) {
    const thread = `${event.pid} ${event.tid}`;
    if (event.name !== "ThreadControllerImpl::RunTask" || event.ph !== "X" || !mains.has(thread)) continue;
    const tasks = byThread.get(thread);
    if (tasks) tasks.push(event);
    else byThread.set(thread, [event]);
  }
  const total = (tasks: readonly TraceEvent[]) => tasks.reduce((sum, { dur = 0 }) => sum + dur, 0);
  return [...byThread.values()].sort((a, b) => total(b) - total(a))[0] ?? [];
}
