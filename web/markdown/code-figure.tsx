import { Check, Copy } from "lucide-react";
import { type ComponentProps, type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../ui/components/cx.ts";
import { IconButton } from "../ui/components/icon-button.tsx";
import { useCopy } from "../ui/use-copy.ts";
import { useOverflow } from "../ui/use-overflow.ts";

type CodeFigureProps = Omit<ComponentProps<"figure">, "title"> & { name: string; bar: ReactNode; children: ReactNode };

/** Framed figure within a reply, with a bar that shows its name and buttons. */
export function CodeFigure({ name, bar, children, className, ...rest }: CodeFigureProps) {
  return (
    <figure dir="ltr" aria-label={name} className={cx("reply-code group/code", className)} {...rest}>
      <figcaption className="flex items-center gap-0.5 py-0.5 ps-4 pe-1 font-sans text-muted text-xs">
        <span className="min-w-0 flex-1 truncate">{name}</span>
        {bar}
      </figcaption>
      {children}
    </figure>
  );
}

type BarButtonProps = ComponentProps<typeof IconButton> & { isQuiet?: boolean };

/** Button of the bar. `isQuiet`: with a mouse visible only on hover or focus; its effect shows the pressed state. */
export function BarButton({ isQuiet = false, className, "aria-pressed": isPressed, ...rest }: BarButtonProps) {
  return (
    <IconButton
      size="small"
      aria-pressed={isPressed}
      className={cx(
        "[&_svg]:size-4",
        isPressed === true && "text-accent!",
        isQuiet &&
          "pointer-fine:opacity-0 transition-opacity focus-visible:opacity-100 group-focus-within/code:opacity-100 group-hover/code:opacity-100",
        className,
      )}
      {...rest}
    />
  );
}

export function CopyCode({ code, label }: { code: string; label?: string }) {
  const { t } = useTranslation("chat");
  const { isCopied, copy } = useCopy();
  return (
    <BarButton
      label={isCopied ? t("code.copied") : (label ?? t("code.copy"))}
      icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      onClick={() => copy(code)}
    />
  );
}

/** Scrollable code. It has a tab stop only while it overflows, so that it can be scrolled by keyboard. */
export function CodeBox({ children }: { children: ReactNode }) {
  const box = useRef<HTMLPreElement>(null);
  const isOver = useOverflow(box);
  return (
    <pre ref={box} {...(isOver && { tabIndex: 0 })}>
      <code>{children}</code>
    </pre>
  );
}
