import { Check } from "lucide-react";

export function SuccessMark() {
  return (
    <div
      aria-hidden="true"
      className="mb-6 flex size-12 animate-appear items-center justify-center rounded-full bg-success-soft text-success"
    >
      <Check className="size-6" />
    </div>
  );
}
