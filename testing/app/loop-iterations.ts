/** Counts the iterations of the event loop while `work` runs. */
export async function loopIterations<T>(work: () => Promise<T>): Promise<{ result: T; iterations: number }> {
  let iterations = 0;
  let isDone = false;
  const count = () => {
    iterations++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const result = await work();
  isDone = true;
  return { result, iterations };
}
