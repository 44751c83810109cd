import transfer from "../../locales/en/transfer.json";
import { registerTexts } from "../../locales/i18n.ts";
import { ArchivedSection } from "./archived-section.tsx";
import { ExportSection } from "./export-section.tsx";
import { ImportSection } from "./import-section.tsx";
import { StorageSection } from "./storage-section.tsx";

registerTexts("transfer", transfer);

/** What there is of a person's chats beside the list of them: those put away, ways out and in, and their size. */
export function DataPage() {
  return (
    <>
      <ArchivedSection />
      <ExportSection />
      <ImportSection />
      <StorageSection />
    </>
  );
}
