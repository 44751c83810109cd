import { expect, it } from "vitest";
import { type TraceEvent, tasksOfPage } from "./trace-tasks.ts";

const event = (name: string, ts: number, dur = 0, more: Partial<TraceEvent> = {}): TraceEvent => ({
  ...{ name, ph: "X", pid: 1, tid: 1, ts, dur, tdur: dur },
  ...more,
});
const task = (ts: number, dur: number, more = {}) => event("ThreadControllerImpl::RunTask", ts, dur, more);
const microtasks = (ts: number, dur: number) => event("BlinkScheduler_PerformMicrotaskCheckpoint", ts, dur);
const mainThread = { ...event("thread_name", 0), args: { name: "CrRendererMain" } };

it("a task of a trace lasts until its microtasks have run", () => {
  expect(tasksOfPage([mainThread, task(100, 5), microtasks(106, 40), task(200, 10)])).toEqual([
    { from: 100, to: 146, cpuUs: 45 },
    { from: 200, to: 210, cpuUs: 10 },
  ]);
});

it("microtasks and tasks within a task are counted once", () => {
  expect(tasksOfPage([mainThread, microtasks(110, 30), task(120, 5), task(100, 50)])).toEqual([
    { from: 100, to: 150, cpuUs: 50 },
  ]);
});

it("a trace leaves out tasks of other threads", () => {
  expect(tasksOfPage([mainThread, task(100, 5), task(100, 90, { tid: 2 })])).toHaveLength(1);
});
