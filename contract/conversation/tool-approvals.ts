/** Approvals of tools, which a person can take back. Separate from the decisions, because only the settings load them. */

import * as z from "zod/mini";
import { TOOL_APPROVALS_MAX } from "../limits.ts";
import { wellFormed } from "../text/well-formed.ts";
import { timeField } from "../times.ts";

/**
 * Whether an approval still has an effect. `changed`: the tool is another one than was approved, and asks again.
 * `unavailable`: the tool cannot be used now.
 */
export const approvalStates = ["valid", "changed", "unavailable"] as const;

/** `chat`: in which alone the tool is approved; null if it is approved in all. `createdAt`: of the newest decision. */
export const toolApprovalSchema = z.object({
  id: z.string(),
  server: z.string(),
  name: z.string(),
  chat: z.nullable(z.object({ id: z.string(), title: z.string(), isUntitled: z.boolean() })),
  state: z.enum(approvalStates),
  createdAt: timeField(),
});
export type ToolApproval = z.infer<typeof toolApprovalSchema>;

/** Approvals for all chats first, then those for one, each the newest first. */
export const toolApprovalListSchema = z.object({
  approvals: z.array(toolApprovalSchema).check(z.maxLength(TOOL_APPROVALS_MAX)),
});
export type ToolApprovalList = z.infer<typeof toolApprovalListSchema>;

/** An id of any form: a malformed one is answered with "not found", like an unknown one. */
export const toolApprovalParamsSchema = z.object({ id: z.string().check(z.overwrite(wellFormed)) });
