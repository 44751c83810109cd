/** The only module of the web client that writes to the console. Callers must not pass personal data. */
export const log = {
  warn(message: string, cause?: unknown): void {
    console.warn(message, cause ?? "");
  },
  error(message: string, cause?: unknown): void {
    console.error(message, cause ?? "");
  },
};
