const AT_ONCE = 32;

/** Calls `act` for each element with limited concurrency. */
export async function inBatches<T>(all: readonly T[], act: (one: T) => Promise<void>, atOnce = AT_ONCE): Promise<void> {
  const rest = all.values();
  await Promise.all(
    Array.from({ length: Math.min(atOnce, all.length) }, async () => {
      for (const one of rest) await act(one);
    }),
  );
}
