/** Event of a trace of Chromium. `ts`, `dur` and `tdur` (processor time of the thread) in µs. */
export type TraceEvent = {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
};

/** A task of a thread, in µs. */
export type Task = { from: number; to: number; cpuUs: number };

const TASK = "ThreadControllerImpl::RunTask";
/** Traced beside its task, not within it. Most work of a page that awaits responses is in microtasks. */
const MICROTASKS = "BlinkScheduler_PerformMicrotaskCheckpoint";

/** Returns the tasks of the busiest main thread, each with its microtasks: only one page is active. */
export function tasksOfPage(events: readonly TraceEvent[]): Task[] {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const mains = new Set(
    events
      .filter((event) => event.name === "thread_name" && JSON.stringify(event).includes("CrRendererMain"))
      .map(threadOf),
  );
  const works = events.filter(({ name, ph }) => ph === "X" && (name === TASK || name === MICROTASKS));
  const byThread = Map.groupBy(works, threadOf);
  const total = (tasks: readonly Task[]) => tasks.reduce((sum, { from, to }) => sum + to - from, 0);
  return (
    [...mains].map((main) => joinMicrotasks(byThread.get(main) ?? [])).sort((a, b) => total(b) - total(a))[0] ?? []
  );
}

/** Adds the microtasks after a task to it; nested tasks and microtasks are in the time of the task around them. */
function joinMicrotasks(events: readonly TraceEvent[]): Task[] {
  const tasks: Task[] = [];
  const inOrder = events.toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  for (const { name, ts: from, dur = 0, tdur = dur } of inOrder) {
    const last = tasks.at(-1);
    const to = from + dur;
    if (last && to <= last.to) continue;
    if (!last || name === TASK) tasks.push({ from, to, cpuUs: tdur });
    else Object.assign(last, { to, cpuUs: last.cpuUs + tdur });
  }
  return tasks;
}
