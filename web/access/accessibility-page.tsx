import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useAuthConfig } from "../accounts/auth-config.ts";
import access from "../locales/en/access.json";
import { registerTexts } from "../locales/i18n.ts";
import { Link } from "../ui/components/link.tsx";
import { PageTitle } from "../ui/components/page-title.tsx";
import { textLink } from "../ui/components/text-link.ts";

registerTexts("access", access);

/** Has the same name in every language. */
const WCAG = "WCAG 2.2";
/** Date on which the statement was last checked against the program. */
const REVIEWED = Date.UTC(2026, 10, 22);

const promises = ["keyboard", "spoken", "seen", "zoom", "touch", "languages"] as const;
const limits = ["answers", "diagrams", "google", "screenReaders"] as const;

/** Accessibility statement: the promises, how they are tested, and the known limits. */
export default function AccessibilityPage() {
  const { t, i18n } = useTranslation("access");
  const { productName } = useAuthConfig();
  const date = new Intl.DateTimeFormat(i18n.language, { dateStyle: "long", timeZone: "UTC" }).format(REVIEWED);
  return (
    <main className="mx-auto max-w-measure px-6 py-12 leading-reading sm:py-20">
      <Link to="/" className="mb-10 inline-flex min-h-11 items-center gap-2 text-muted text-sm hover:text-ink">
        <ArrowLeft aria-hidden="true" className="size-4 rtl:-scale-x-100" />
        {t("back")}
      </Link>
      <PageTitle className="font-semibold text-2xl tracking-[-0.022em]">{t("title")}</PageTitle>
      <p className="mt-4 text-pretty">{t("promise", { product: productName })}</p>
      <Section title={t("does.title")}>
        <List items={promises.map((key) => t(`does.${key}`))} />
      </Section>
      <Section title={t("tested.title")}>
        <p className="text-pretty">{t("tested.text")}</p>
      </Section>
      <Section title={t("limits.title")}>
        <List items={limits.map((key) => t(`limits.${key}`))} />
      </Section>
      <Section title={t("contact.title")}>
        <p className="text-pretty">{t("contact.text")}</p>
      </Section>
      <p className="mt-10 flex flex-wrap justify-between gap-4 text-muted text-sm">
        <span>{t("reviewed", { date })}</span>
        <a href="https://www.w3.org/TR/WCAG22/" target="_blank" rel="noopener noreferrer" className={textLink}>
          {WCAG}
        </a>
      </p>
    </main>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-10">
      <h2 className="mb-3 font-semibold text-lg">{title}</h2>
      {children}
    </section>
  );
}

function List({ items }: { items: readonly string[] }) {
  return (
    <ul className="flex list-disc flex-col gap-2 ps-5 marker:text-muted">
      {items.map((item) => (
        <li key={item} className="text-pretty ps-1">
          {item}
        </li>
      ))}
    </ul>
  );
}
