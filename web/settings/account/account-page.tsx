import { useTranslation } from "react-i18next";
import { Section } from "../../page/section.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import { EmailSection } from "./email-section.tsx";
import { NamesForm } from "./names-form.tsx";
import { ReceiversNote } from "./receivers-note.tsx";
import { UsernameForm } from "./username-form.tsx";

export function AccountPage() {
  const { t } = useTranslation("settings");
  return (
    <>
      <Section title={t("profile.title")} text={t("profile.text")}>
        <div className="divide-y divide-hairline">
          <NamesForm />
          <UsernameForm />
        </div>
        <ReceiversNote />
      </Section>
      <EmailSection />
      <DeleteAccount />
    </>
  );
}
