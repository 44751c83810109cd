import { Download } from "lucide-react";
import { FailureBanner } from "../forms/failure-banner.tsx";
import { useAction } from "../forms/use-action.ts";
import { withProof } from "../proof/proof.ts";
import { Button } from "../ui/components/button.tsx";

type CsvButtonProps = { label: string; save: () => Promise<void>; onSaved?: () => void };

/** Button that saves a table as CSV, after a proof, and the failure of the last attempt. */
export function CsvButton({ label, save, onSaved }: CsvButtonProps) {
  const { run, busy, failure } = useAction<"csv">();
  const act = async () => {
    await withProof(save);
    onSaved?.();
  };
  return (
    <>
      <Button variant="secondary" size="small" busy={busy !== null} onClick={() => void run("csv", act)}>
        {busy === null && <Download aria-hidden="true" className="size-4" />}
        {label}
      </Button>
      <FailureBanner failure={failure} className="basis-full" />
    </>
  );
}
