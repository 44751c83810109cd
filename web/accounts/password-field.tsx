import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Field, type FieldProps } from "../ui/components/fields/field.tsx";
import { IconButton } from "../ui/components/icon-button.tsx";

/** Password field with a button that shows the password. */
export function PasswordField(props: Omit<FieldProps, "type" | "end">) {
  const { t } = useTranslation("accounts");
  const [isShown, setShown] = useState(false);
  return (
    <Field
      {...props}
      type={isShown ? "text" : "password"}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      end={
        <IconButton
          label={t(isShown ? "hidePassword" : "showPassword")}
          icon={isShown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
          onClick={() => setShown(!isShown)}
        />
      }
    />
  );
}
