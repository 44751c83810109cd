import * as z from "zod/mini";
import { type ChangeSetup, type SetupStep, setupSteps } from "#contract/administration/setup.ts";
import { holdAdministration } from "../audit/record-audit.ts";
import type { Queryable } from "../database/schema.ts";
import { listSettingsNamed, putSetting } from "./setting-store.ts";

const NAME = "setup";

const storedSchema = z.object({ dismissedAt: z.optional(z.int()), skipped: z.array(z.enum(setupSteps)) });

/** The owner's decisions about the first steps. */
export type SetupDecisions = { dismissedAt?: number | undefined; skipped: SetupStep[] };

/** Returns the decisions; none at first. */
export async function readSetupDecisions(db: Queryable): Promise<SetupDecisions> {
  const [row] = await listSettingsNamed(db, [NAME]);
  const none = { skipped: [] };
  return row === undefined ? none : (storedSchema.safeParse(JSON.parse(row.value)).data ?? none);
}

/** Stores decisions in the caller's transaction, without a record: they change nothing. A dismissed hint stays dismissed. */
export async function changeSetup(db: Queryable, { isDismissed, skipped }: ChangeSetup, at: number): Promise<void> {
  await holdAdministration(db);
  const before = await readSetupDecisions(db);
  const after: SetupDecisions = {
    ...before,
    ...(skipped && { skipped: setupSteps.filter((step) => skipped.includes(step)) }),
    ...(isDismissed && { dismissedAt: before.dismissedAt ?? at }),
  };
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  await putSetting(db, { name: NAME, value: JSON.stringify(after), changed_at: at });
}
