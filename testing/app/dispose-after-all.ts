import { afterAll } from "vitest";

/**
 * Disposes what a test file starts for all of its tests, such as a server, after the last of them. Resources are disposed
 * in the reverse order of the calls.
 */
export function disposeAfterAll<T extends AsyncDisposable>(resource: T): T {
  afterAll(() => resource[Symbol.asyncDispose]());
  return resource;
}
