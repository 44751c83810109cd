import { useId, useState } from "react";
import { useSession } from "../../accounts/session/session.ts";
import { OwnModels } from "../own-models.ts";
import { ModelSelect, type ModelSelectProps } from "./model-select.tsx";

type ModelSelectFieldProps = Omit<ModelSelectProps, "id" | "ownModels" | "isInForm" | "className">;

/** {@link ModelSelect} of a form, with its label above. Its list begins with the models that the person has pinned. */
export function ModelSelectField(props: ModelSelectFieldProps) {
  const id = useId();
  const { user } = useSession();
  const [ownModels] = useState(() => new OwnModels(user?.id ?? ""));
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-medium text-sm">
        {props.label}
      </label>
      <ModelSelect {...props} id={id} ownModels={ownModels} isInForm />
    </div>
  );
}
