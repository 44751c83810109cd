import type { Usage } from "#contract/models/usage.ts";
import type { Price } from "../../server/models/prices.ts";
import type { Charges } from "./wire.ts";

/** Prices in 1e-12 US dollars per token: integers, so that BigInt sums are exact. */
export type Tariff = { input: bigint; output: bigint; cacheRead?: bigint; cacheWrite?: bigint };

/** Sums of one model. `nanos`: in 1e-9 US dollars. `input`: with that from and to a cache. `output`: with reasoning. */
export type InvoiceLine = {
  calls: number;
  nanos: bigint;
  input: number;
  cached: number;
  written: number;
  output: number;
  reasoning: number;
};

export type InvoicedCall = { model: string; tariff: Tariff; charges: Charges };

export type Invoice = ReadonlyMap<string, InvoiceLine>;

const nothing: InvoiceLine = { calls: 0, nanos: 0n, input: 0, cached: 0, written: 0, output: 0, reasoning: 0 };

/** Sums charges by model. Each call is rounded half up to 1e-9 US dollars. */
export function invoiceOf(calls: readonly InvoicedCall[]): Invoice {
  const lines = new Map<string, InvoiceLine>();
  for (const { model, tariff, charges } of calls) {
    const { input, cacheRead, cacheWrite, output, reasoning } = charges;
    addTo(lines, model, {
      calls: 1,
      nanos: (picoOf(charges, tariff) + 500n) / 1000n,
      input: input + cacheRead + cacheWrite,
      cached: cacheRead,
      written: cacheWrite,
      output,
      reasoning,
    });
  }
  return lines;
}

/** Converts the answer of `GET /usage` to the same sums over all its months, because a test may run over midnight. */
export function billedBy({ months }: Usage): Invoice {
  const lines = new Map<string, InvoiceLine>();
  for (const each of months.flatMap(({ models }) => models)) {
    addTo(lines, each.model, {
      calls: each.calls,
      nanos: nanosOf(each.cost),
      input: each.inputTokens,
      cached: each.cachedInputTokens ?? 0,
      written: each.cacheWriteTokens ?? 0,
      output: each.outputTokens,
      reasoning: each.reasoningTokens ?? 0,
    });
  }
  return lines;
}

/** Returns the total in 1e-9 US dollars. */
export function totalOf(invoice: Invoice): bigint {
  return [...invoice.values()].reduce((sum, { nanos }) => sum + nanos, 0n);
}

/** Returns the sum of the months' own totals in US dollars. */
export function totalBilledBy({ months }: Usage): number {
  return months.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
}

/** Converts US dollars to 1e-9 US dollars. */
export function nanosOf(dollars: number | null): bigint {
  return BigInt(Math.round((dollars ?? 0) * 1e9));
}

export function toPrice({ input, output, cacheRead, cacheWrite }: Tariff): Price {
  const dollars = (pico: bigint) => Number(pico) / 1e6;
  return {
    input: dollars(input),
    output: dollars(output),
    ...(cacheRead !== undefined && { cacheRead: dollars(cacheRead) }),
    ...(cacheWrite !== undefined && { cacheWrite: dollars(cacheWrite) }),
  };
}

function picoOf(charges: Charges, { input, output, cacheRead = input, cacheWrite = input }: Tariff): bigint {
  return (
    BigInt(charges.input) * input +
    BigInt(charges.cacheRead) * cacheRead +
    BigInt(charges.cacheWrite) * cacheWrite +
    BigInt(charges.output) * output
  );
}

function addTo(lines: Map<string, InvoiceLine>, model: string, more: InvoiceLine): void {
  const before = lines.get(model) ?? nothing;
  lines.set(model, {
    calls: before.calls + more.calls,
    nanos: before.nanos + more.nanos,
    input: before.input + more.input,
    cached: before.cached + more.cached,
    written: before.written + more.written,
    output: before.output + more.output,
    reasoning: before.reasoning + more.reasoning,
  });
}
