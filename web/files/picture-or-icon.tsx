import { type ComponentProps, useState } from "react";
import { cx } from "../ui/components/cx.ts";
import { KindIcon } from "./file-kind.tsx";

type PictureOrIconProps = Omit<ComponentProps<"img">, "src" | "onError"> & { src: string };

/** A picture; the icon of a file if the browser cannot decode it, because it is damaged. */
export function PictureOrIcon({ src, alt, className, ...image }: PictureOrIconProps) {
  const [undecoded, setUndecoded] = useState<string>();
  if (undecoded !== src)
    return <img {...image} {...{ src, className }} alt={alt} draggable={false} onError={() => setUndecoded(src)} />;
  return (
    <span className={cx("flex items-center justify-center text-muted", className)}>
      <span className="sr-only">{alt}</span>
      <KindIcon kind="picture" className="size-5" />
    </span>
  );
}
