import { Banner } from "../ui/notifications/banner.tsx";

type NoticeBannerProps = {
  text: string;
  /** Whether only its author sees it: screen readers do not announce it at each key press. */
  isPreview?: boolean;
  onDismiss?: (() => void) | undefined;
  className?: string;
};

/** A notice to everybody: plain text, which may have several lines. */
export function NoticeBanner({ text, isPreview = false, onDismiss, className = "" }: NoticeBannerProps) {
  const banner = (
    <Banner tone="info" onDismiss={onDismiss} className={className}>
      <p dir="auto" className="max-h-40 overflow-y-auto whitespace-pre-line break-words">
        {text}
      </p>
    </Banner>
  );
  return isPreview ? <div aria-live="off">{banner}</div> : banner;
}
