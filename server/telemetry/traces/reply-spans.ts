import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { WatchProduction } from "../../conversation/reply/calls/production.ts";
import type { WatchModel } from "../../models/model.ts";
import { type ModelEnd, withStream } from "../../models/model.ts";
import { ModelError } from "../../models/model-error.ts";
import type { Spans } from "./spans.ts";

/** Creates a span for the writing of each reply, with its model, first text, length and outcome. */
export function watchProduction(spans: Spans): WatchProduction {
  return (reply, produce) =>
    spans.within(
      "reply",
      { attributes: { "parley.reply.id": reply.id, "parley.reply.run": reply.run } },
      async (span) => {
        const begunAt = performance.now();
        const lengthBefore = reply.text.length;
        const leave = reply.subscribe(lengthBefore, {
          onWriter: () => {},
          onText: () => {
            span.setAttribute("parley.reply.first_text_ms", Math.round(performance.now() - begunAt));
            leave();
          },
          onPart: () => {},
          onThought: () => {},
          onSeam: () => {},
          onTakeBack: () => {},
          onEnd: () => {},
          onBreakOff: () => {},
        });
        const end = await produce();
        leave();
        span.setAttributes({
          "parley.reply.outcome": end.state,
          "parley.reply.characters": reply.text.length - lengthBefore,
          ...(end.code && { "error.type": end.code }),
        });
        if (end.state === "failed") span.setStatus({ code: SpanStatusCode.ERROR });
        return end;
      },
    );
}

/** Creates a span for each call to a provider. */
export function watchModel(spans: Spans): WatchModel {
  return (model, label) => {
    const { provider } = model;
    const attributes = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": provider,
      "gen_ai.request.model": label,
    };
    return withStream(model, (prompt, sink, signal) =>
      spans.within(`chat ${label}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
        const end = await model.stream(prompt, sink, signal).catch((error: unknown) => {
          if (error instanceof ModelError) span.setAttribute("parley.error.code", error.code);
          throw error;
        });
        span.setAttributes(endAttributes(end));
        return end;
      }),
    );
  };
}

function endAttributes({ reason, usage: { inputTokens, outputTokens } = {} }: ModelEnd) {
  return {
    "gen_ai.response.finish_reasons": [reason],
    ...(inputTokens !== undefined && { "gen_ai.usage.input_tokens": inputTokens }),
    ...(outputTokens !== undefined && { "gen_ai.usage.output_tokens": outputTokens }),
  };
}
