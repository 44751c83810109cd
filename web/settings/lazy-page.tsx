import { type ComponentType, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../ui/components/button.tsx";
import { type LazyModule, useLazyModule } from "../ui/lazy/lazy-module.ts";

/** A page, or a part of one, that is loaded when it is first shown. */
export function LazyPage({ module }: { module: LazyModule<ComponentType> }) {
  const { t } = useTranslation("settings");
  const [isMissing, setMissing] = useState(false);
  const Page = useLazyModule(module, !isMissing, () => setMissing(true));
  if (Page) return <Page />;
  if (!isMissing) return null;
  return (
    <Button variant="secondary" className="mt-6" onClick={() => setMissing(false)}>
      {t("tryAgain")}
    </Button>
  );
}
