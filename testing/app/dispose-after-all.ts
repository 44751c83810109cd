import { afterAll } from "vitest";

/**
 * Disposes a resource of a test file, such as a server, after its last test. Resources are disposed in reverse order of
 * the calls.
 */
export function disposeAfterAll<T extends AsyncDisposable>(resource: T): T {
  afterAll(() => resource[Symbol.asyncDispose]());
  return resource;
}
