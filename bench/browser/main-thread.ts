import type { Browser, Page } from "@playwright/test";
import type { Row } from "../results/row.ts";
import { type Task, type TraceEvent, tasksOfPage } from "./trace-tasks.ts";

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
  const clock = tasks.map(({ from, to }) => (to - from) / 1000);
  // Processor time, because a shared machine preempts tasks.
  const cpu = tasks.map(({ cpuUs }) => cpuUs / 1000);
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
  const worked = (span: { from: number; to: number }, of: (task: Task) => number) =>
    tasks.reduce((sum, task) => {
      const { from, to } = task;
      const shared = Math.min(to, span.to) - Math.max(from, span.from);
      return shared <= 0 ? sum : sum + of(task) * (shared / (to - from));
    }, 0);
  return {
    clock: spans.map(({ from, to }) => (to - from) / 1000),
    waiting: spans.map((span) => (span.to - span.from - worked(span, ({ from, to }) => to - from)) / 1000),
    cpu: spans.map((span) => worked(span, ({ cpuUs }) => cpuUs) / 1000),
  };
}
