import type { TestApp } from "../app/start-test-app.ts";

/** Returns the kinds of an account's events in the security log, oldest first. */
export async function securityEventsOf(app: TestApp, userId: string): Promise<string[]> {
  const { database } = app.context;
  const rows = database.selectFrom("security_events").select("kind").where("user_id", "=", userId);
  return (await rows.orderBy("id").execute()).map(({ kind }) => kind);
}
