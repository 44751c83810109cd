const KB = 1000;
const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** Formats a size in bytes, e.g. `12.3 MB`. */
export function sizeText(bytes: number, locale: string): string {
  let size = bytes;
  let at = 0;
  while (size >= KB && at < units.length - 1) {
    size /= KB;
    at++;
  }
  const unit = units[at] ?? "byte";
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit,
    // The short name of "byte" has no plural.
    unitDisplay: unit === "byte" ? "long" : "short",
    maximumFractionDigits: size < 10 ? 1 : 0,
  }).format(size);
}
