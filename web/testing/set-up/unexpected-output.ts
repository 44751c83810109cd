/**
 * Set-up file of web tests: output to the console fails the test that caused it, as e2e/fixtures.ts does for journeys.
 * A test that expects output replaces the method: `vi.spyOn(console, "warn").mockImplementation(() => {})`.
 */

import { afterAll, afterEach, expect } from "vitest";

const output: string[] = [];

for (const method of ["error", "warn", "info"] as const)
  console[method] = (...args: unknown[]) => void output.push(`${method}: ${args.map(textOf).join(" ")}`);

function textOf(value: unknown): string {
  return value instanceof Error ? (value.stack ?? String(value)) : String(value);
}

function expectNoOutput(): void {
  const unexpected = output.splice(0);
  expect(unexpected, "a test that expects output to the console replaces its method").toEqual([]);
}

// These run after the hooks of the test's own file, because Vitest runs the hook that was registered first last.
afterEach(expectNoOutput);
afterAll(expectNoOutput);
