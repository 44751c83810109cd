/** Shown for an unknown value. */
export const UNKNOWN = "–";

const SMALL = 0.01;

/** Formats US dollars; amounts below a cent with two significant digits: `$1.20`, `$0.00034`. */
export function costText(cost: number | null, isEstimate: boolean, locale: string): string {
  if (cost === null) return UNKNOWN;
  const digits = cost > 0 && cost < SMALL ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 2 };
  const text = dollars(cost, digits, locale);
  return isEstimate ? `≈ ${text}` : text;
}

/** Formats US dollars rounded to cents: `$1.20`, `$0.00`. */
export const centsText = (usd: number, locale: string): string => dollars(usd, { maximumFractionDigits: 2 }, locale);

function dollars(usd: number, digits: Intl.NumberFormatOptions, locale: string): string {
  const written = new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    ...digits,
  }).format(usd);
  // In Arabic the text ends with `US$`: a left-to-right mark keeps the sign after its letters.
  return written.replace(/US\$$/, "$&\u200e");
}
