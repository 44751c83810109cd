import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton, type IconButtonProps } from "./icon-button.tsx";

/** Button that closes a message, a dialog or a viewer. */
export function CloseButton(props: Omit<IconButtonProps, "label" | "icon">) {
  const { t } = useTranslation("app");
  return <IconButton label={t("close")} icon={<X aria-hidden="true" />} size="small" {...props} />;
}
