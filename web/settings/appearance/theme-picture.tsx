import { cx } from "../../ui/components/cx.ts";

type ThemePictureProps = { theme: "system" | "light" | "dark"; isStrong: boolean };

/** Thumbnail of the chat page in a theme; for the system's theme, half light and half dark. */
export function ThemePicture({ theme, isStrong }: ThemePictureProps) {
  return (
    <span
      aria-hidden="true"
      className="relative block aspect-[8/5] overflow-hidden rounded-small border border-hairline forced-colors:hidden"
    >
      <Screen theme={theme === "dark" ? "dark" : "light"} isStrong={isStrong} />
      {theme === "system" && (
        <Screen
          theme="dark"
          isStrong={isStrong}
          className="[clip-path:polygon(100%_0,100%_100%,0_100%)] rtl:[clip-path:polygon(0_0,100%_100%,0_100%)]"
        />
      )}
    </span>
  );
}

function Screen({ theme, isStrong, className }: { theme: "light" | "dark"; isStrong: boolean; className?: string }) {
  return (
    <span
      data-theme={theme}
      data-contrast={isStrong ? "more" : undefined}
      className={cx("absolute inset-0 flex bg-page", className)}
    >
      <span className="flex w-[30%] flex-col gap-[6%] border-hairline border-e bg-sunken p-[6%]">
        <Line className="w-full bg-outline" />
        <Line className="w-4/5 bg-hairline" />
        <Line className="w-3/5 bg-hairline" />
      </span>
      <span className="flex flex-1 flex-col gap-[5%] p-[6%]">
        <span className="ms-auto h-[16%] w-2/5 rounded-small border border-hairline bg-raised" />
        <Line className="w-full bg-ink" />
        <Line className="w-11/12 bg-ink" />
        <Line className="w-1/2 bg-muted" />
        <span className="mt-auto flex h-[20%] items-center justify-end rounded-small border border-outline bg-raised px-[3%]">
          <span className="aspect-square h-3/5 rounded-full bg-accent" />
        </span>
      </span>
    </span>
  );
}

const Line = ({ className }: { className: string }) => <span className={cx("block h-[4%] rounded-full", className)} />;
