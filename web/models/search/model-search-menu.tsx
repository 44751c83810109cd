import { type ReactElement, useState } from "react";
import { FloatingSheet } from "../../ui/dialogs/floating-sheet.tsx";
import { ModelSearchPanel } from "./model-search-panel.tsx";
import type { ModelSearchInput } from "./use-model-search.ts";

export type ModelSearchMenuProps = ModelSearchInput & {
  /** Accessible name of the surface. */
  label: string;
  trigger: ReactElement;
};

/** The long list of models: a popover at its button, and a sheet on a phone. Open on mount: its button was pressed. */
export default function ModelSearchMenu({ label, trigger, onChoose, ...input }: ModelSearchMenuProps) {
  const [isOpen, setOpen] = useState(true);
  const choose = (value: string) => {
    setOpen(false);
    onChoose(value);
  };
  return (
    <FloatingSheet label={label} trigger={trigger} isOpen={isOpen} onOpenChange={setOpen} floatingClass="h-[32rem]">
      {(close) => <ModelSearchPanel {...input} onChoose={choose} close={close} />}
    </FloatingSheet>
  );
}
