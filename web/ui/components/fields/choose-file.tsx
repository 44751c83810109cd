import { FileUp } from "lucide-react";
import { useRef } from "react";
import { Button } from "../button.tsx";

type ChooseFileProps = {
  label: string;
  /** Accepted types, as the attribute of an input. */
  accept: string;
  onChoose: (file: File | undefined) => void;
};

/** Button that opens the browser's dialog for one file. */
export function ChooseFile({ label, accept, onChoose }: ChooseFileProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button variant="secondary" size="small" onClick={() => input.current?.click()}>
        <FileUp aria-hidden="true" className="size-4" />
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={({ currentTarget }) => {
          onChoose(currentTarget.files?.[0]);
          // Reset, so that choosing the same file again fires a change event.
          currentTarget.value = "";
        }}
      />
    </>
  );
}
