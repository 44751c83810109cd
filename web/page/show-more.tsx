import { FailureBanner } from "../forms/failure-banner.tsx";
import type { RunningAction } from "../forms/use-action.ts";
import { Button } from "../ui/components/button.tsx";

type ShowMoreProps = {
  hasMore: boolean;
  more: Pick<RunningAction<"more">, "busy" | "failure">;
  labels: { idle: string; busy: string };
  onShow: () => void;
};

/** Button that reads the next page of a list, with the failure of the last read. */
export function ShowMore({ hasMore, more, labels, onShow }: ShowMoreProps) {
  const isBusy = more.busy !== null;
  return (
    <>
      <FailureBanner failure={more.failure} className="mt-6" />
      {hasMore && (
        <Button
          variant="secondary"
          className="mt-6 w-full"
          busy={isBusy}
          aria-disabled={isBusy || undefined}
          onClick={onShow}
        >
          {isBusy ? labels.busy : labels.idle}
        </Button>
      )}
    </>
  );
}
