import type { Settlements } from "../../budgets/settlements.ts";
import type { InstallationSettings } from "../../installation/installation-settings.ts";
import type { Limits } from "../../limits/limits.ts";
import type { Tool } from "../../tools/tool.ts";

type CallLimitDeps = {
  limits: Pick<Limits, "takeUpTo">;
  installation: Pick<InstallationSettings, "current">;
  settlements: Pick<Settlements, "untilStored">;
};

/** `full`: the period whose calls are used up. */
export type CallAdmission = "admitted" | "stopped" | { full: "minute" | "day" };

/** Counts the calls of tools of each account that leave the server, and limits them by the owner's settings. */
export class CallLimit {
  readonly #deps: CallLimitDeps;

  constructor(deps: CallLimitDeps) {
    this.#deps = deps;
  }

  /**
   * Counts a call before it is sent; retries while the database is away. A call of a tool that reaches nothing outside
   * is always admitted. Of concurrent calls, exactly the allowed number is admitted.
   * @param signal ends the retries: `stopped`
   */
  async admit({ reach }: Pick<Tool, "reach">, userId: string, signal: AbortSignal): Promise<CallAdmission> {
    if (reach === "nothing" || reach === "own") return "admitted";
    const count = () => this.#count(userId);
    const counted = await this.#deps.settlements.untilStored(count, { subject: { user: userId }, signal });
    return counted?.value ?? "stopped";
  }

  async #count(userId: string): Promise<CallAdmission> {
    const { limits, installation } = this.#deps;
    const { toolCallsPerMinute, toolCallsPerDay } = installation.current;
    const giveBack = await limits.takeUpTo(toolCallsPerMinute, "tool-call-minute", userId);
    if (giveBack === null) return { full: "minute" };
    if ((await limits.takeUpTo(toolCallsPerDay, "tool-call-day", userId)) !== null) return "admitted";
    await giveBack();
    return { full: "day" };
  }
}
