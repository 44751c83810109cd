import { Button } from "../../../ui/components/button.tsx";
import { StepHeading } from "./step-heading.tsx";

type StepProgressProps = { title: string; text: string; share: number; stopLabel: string; onStop: () => void };

/** A step that runs, with its progress and the button that ends it. `share`: from 0 to 1. */
export function StepProgress({ title, text, share, stopLabel, onStop }: StepProgressProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4 sm:p-5">
      <div className="min-w-0 flex-1 basis-48">
        <StepHeading>{title}</StepHeading>
        <progress
          aria-label={title}
          max={1}
          value={share}
          className="mt-3 block h-2 w-full appearance-none overflow-hidden rounded-full border border-outline bg-page forced-colors:appearance-auto [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-page [&::-webkit-progress-value]:bg-accent"
        />
        <p className="mt-2 text-muted text-sm tabular-nums leading-text">{text}</p>
      </div>
      <Button variant="secondary" size="small" onClick={onStop}>
        {stopLabel}
      </Button>
    </div>
  );
}
