import type { TestApp } from "../app/start-test-app.ts";

/** Kinds of the events that the security log has of an account, oldest first. */
export async function securityEventsOf(app: TestApp, userId: string): Promise<string[]> {
  const { database } = app.context;
  const rows = database.selectFrom("security_events").select("kind").where("user_id", "=", userId);
  return (await rows.orderBy("id").execute()).map(({ kind }) => kind);
}
