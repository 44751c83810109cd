import { AbortScope } from "../../../concurrency/abort-scope.ts";
import type { Queryable } from "../../../database/schema.ts";
import type { StreamedPicture } from "../../../models/attachments/streamed-pictures.ts";
import type { ModelEnd } from "../../../models/model.ts";
import { hasTools } from "../../../models/prompt-message.ts";
import { findServerCut } from "../../../models/server-cut.ts";
import type { ProviderSources } from "../../../models/sources/provider-sources.ts";
import { hasWrittenCall } from "../../../models/tool-calls/written-call.ts";
import { noticesOf } from "./call-notices.ts";
import { CallOutput } from "./call-output.ts";
import { CallPictures } from "./call-pictures.ts";
import { promptForCall } from "./call-prompt.ts";
import type { ModelCall, Production } from "./production.ts";
import { SilenceWatch } from "./silence-watch.ts";

/** Longest reply in UTF-16 units; a longer one is ended. */
export const MAX_REPLY_CHARS = 1_000_000;

/**
 * Calls a model once and appends its output to the reply.
 * @returns how the call ended; `full`: the reply has reached its greatest length
 * @throws ModelError, Failure `budget-reached`, `budget-reserved`
 */
export async function callModel(production: Production, call: ModelCall): Promise<ModelEnd | "full"> {
  const { model, overdue, progress } = call;
  const { reply, limits, spending, journal, storePicture } = production;
  const fitted = await promptForCall(production, call);
  const notices = await noticesOf(production, call, fitted);
  call.sent = fitted.prompt;
  call.offersTools = hasTools(fitted.prompt);
  const output = new CallOutput(reply, notices, () => {
    call.sent = undefined;
    progress.hasOutput = true;
    progress.writer = model.value;
    reply.setWriter(model.value);
  });
  const pictures = new CallPictures(reply, storePicture);
  const full = new AbortController();
  using silence = new SilenceWatch(limits);
  using scope = new AbortScope({ parents: [reply.stopSignal, overdue, silence.signal, full.signal] });
  const { signal } = scope;
  // A local flag, because reading `signal.aborted` for each word costs more than the rest of this function.
  let isOver = signal.aborted;
  const noteAbort = () => {
    isOver = true;
  };
  signal.addEventListener("abort", noteAbort, { once: true });
  let named: ProviderSources | undefined;
  const sink = {
    onSources: (sources: ProviderSources) => {
      named = sources;
      if (!isOver) journal?.name(model.value, { list: sources.list, cited: sources.cited, begin: output.begin });
    },
    onLife: () => silence.noteLife(),
    onReasoning: (text: string) => {
      silence.noteOutput();
      if (!isOver) output.appendReasoning(text);
    },
    onTakeBack: () => {
      if (!isOver) output.takeBack();
    },
    onCall: () => silence.noteOutput(),
    onPicture: (picture: StreamedPicture) => {
      silence.noteOutput();
      if (isOver) return;
      output.notePicture();
      pictures.add(picture);
    },
    onText: (text: string) => {
      silence.noteOutput();
      if (isOver) return;
      output.append(text);
      if (reply.text.length >= MAX_REPLY_CHARS) full.abort();
    },
  };
  const isFurther = progress.hasCalled;
  progress.hasCalled = true;
  const onBegin = isFurther && journal ? (db: Queryable) => journal.begin(db, model.value) : undefined;
  const countedModel = spending ? spending.counted(model, { onBegin }) : model;
  const begunAt = reply.text.length;
  try {
    const end = await countedModel.stream(fitted.prompt, sink, signal);
    output.end(end.sources);
    const cut = findServerCut(model, fitted.prompt, end);
    if (cut) reply.addNotice("server-cut", cut);
    if (hasWrittenCall(reply.text.slice(begunAt))) reply.addNotice("no-tool-run", {});
    return end;
  } catch (error) {
    output.cut(named);
    if (full.signal.aborted) return "full";
    throw error;
  } finally {
    await pictures.stored();
    call.pictureLoss = pictures.loss;
  }
}
