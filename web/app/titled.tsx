import { createContext, useContext, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Outlet } from "react-router";
import { useAuthConfig } from "../accounts/auth-config.ts";
import { useStore } from "../store/use-store.ts";
import { tabCount } from "../ui/tab-count.ts";

type Page =
  | "login"
  | "register"
  | "verifyEmail"
  | "forgotPassword"
  | "resetPassword"
  | "confirmEmail"
  | "undoEmail"
  | "lostFactor"
  | "chat"
  | "settings"
  | "administration"
  | "accessibility"
  | "notFound";

const NameContext = createContext<(name: string | null) => void>(() => {});

/** Sets the tab's title to the name of the page or of its content. */
export function Titled({ page }: { page: Page }) {
  const { t } = useTranslation("app");
  const { productName } = useAuthConfig();
  const [name, setName] = useState<string | null>(null);
  const count = useStore(tabCount);
  const plain = t("documentTitle", { page: name ?? t(`page.${page}`), product: productName });
  const title = count === 0 ? plain : t("documentTitleCounted", { count, title: plain });
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <NameContext value={setName}>
      <Outlet />
    </NameContext>
  );
}

/** Returns a function of stable identity that puts a name into the tab's title; null restores the page's own. */
export const useNameTab = () => useContext(NameContext);
