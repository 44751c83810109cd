/** The one place of the browser part that writes to the console. Nothing private is ever passed in. */
export const log = {
  warn(message: string, cause?: unknown): void {
    console.warn(message, cause ?? "");
  },
  error(message: string, cause?: unknown): void {
    console.error(message, cause ?? "");
  },
};
