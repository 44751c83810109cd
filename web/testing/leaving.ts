/** For tests: catches the addresses for which the page is left. */

import { vi } from "vitest";

/** Returns the live list of these addresses. Nothing is opened. */
export function catchLeaving(): string[] {
  const urls: string[] = [];
  vi.spyOn(window.location, "assign").mockImplementation((url) => void urls.push(String(url)));
  return urls;
}
