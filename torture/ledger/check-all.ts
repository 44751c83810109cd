import type { Death } from "../../testing/servers/server-process.ts";
import { deathsOf } from "../arrangements/arrangement.ts";
import type { Harness } from "../harness.ts";
import type { ProviderCall } from "../provider/provider-call.ts";
import type { Report } from "../report.ts";
import { checkCalls, checkChat } from "./check-chat.ts";
import { checkLosses, wasCutOffBy } from "./check-deaths.ts";
import type { ChatRecord } from "./turn.ts";

/** Compares every chat that was not deleted with the stored state, at the end of a run. */
export async function checkAll(harness: Harness, chats: readonly ChatRecord[]): Promise<void> {
  for (const record of chats) {
    if (record.isDeleted) await checkDeleted(harness, record);
    else await checkOne(harness, record);
  }
}

async function checkOne({ arrangement, client, provider, report }: Harness, record: ChatRecord): Promise<void> {
  const stored = await client.openChat(record.id);
  checkChat(report, record, stored);
  const deaths = deathsOf(arrangement);
  for (const turn of record.turns) {
    const calls = provider.callsFor(turn.question);
    const cutOff = calls.filter((call) => deaths.some((death) => wasCutOffBy(call, death, turn)));
    const failed = calls.filter((_, index) => turn.question.script.misdeeds?.[index] !== undefined);
    // A reply is continued automatically at most once.
    const byItself = Math.min(1, cutOff.length);
    checkCalls(report, turn, calls, 1 + turn.asksForMore + byItself + Math.min(1, failed.length));
    const length = stored.messages.find(({ id }) => id === turn.replyId)?.content.length ?? 0;
    checkLosses(report, turn, calls, deaths, length);
  }
  checkTitles(report, record, provider.calls, deaths);
}

/** Checks the number of title calls: an interrupted reply and its continuation may both request a title. */
function checkTitles(report: Report, { id, turns }: ChatRecord, calls: readonly ProviderCall[], deaths: Death[]): void {
  const [first] = turns;
  const asked = calls.filter(({ question }) => question === first?.question);
  const titles = asked.filter(({ kind }) => kind === "title");
  const cutOff = asked.filter((call) => deaths.some((death) => wasCutOffBy(call, death, first)));
  const allowed = 1 + (first?.asksForMore ?? 0) + cutOff.length;
  report.check("a title is requested once", titles.length <= allowed, `chat ${id}: ${titles.length} times`);
}

async function checkDeleted({ client, report }: Harness, record: ChatRecord): Promise<void> {
  const { status } = await client.jsonOnceTaken({ method: "GET", path: `/chat/${record.id}` });
  report.check("a deleted chat stays deleted", status === 404, `chat ${record.id} answers ${status}`);
}
