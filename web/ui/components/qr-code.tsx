import { useMemo } from "react";
import { encode } from "uqr";

/** Light modules around a QR code, as its standard requires. */
const QUIET_ZONE = 4;

/** A QR code as one path. Level M: a folded or spotted sheet can still be scanned. */
export function QrCode({ text, label, className }: { text: string; label: string; className: string }) {
  const { size, path } = useMemo(() => {
    const { data, size: modules } = encode(text, { ecc: "M", border: QUIET_ZONE });
    return { size: modules, path: pathOf(data) };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <path d={path} />
    </svg>
  );
}

/** Returns a path with a rectangle for each run of dark modules in a row. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) => {
      const modules = row.map((isDark) => (isDark ? "#" : " ")).join("");
      return [...modules.matchAll(/#+/g)].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`);
    })
    .join("");
}
