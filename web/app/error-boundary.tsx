import { Component, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../ui/components/button.tsx";
import { MessagePage } from "./message-page.tsx";

/** Shows an error page if rendering fails; React's root logs the error. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? <BrokenPage /> : this.props.children;
  }
}

function BrokenPage() {
  const { t } = useTranslation("app");
  return (
    <MessagePage
      title={t("brokenTitle")}
      text={t("brokenText")}
      action={
        <Button size="large" onClick={() => window.location.reload()}>
          {t("brokenAction")}
        </Button>
      }
    />
  );
}
