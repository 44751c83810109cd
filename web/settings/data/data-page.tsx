import transfer from "../../locales/en/transfer.json";
import { registerTexts } from "../../locales/i18n.ts";
import { ArchivedSection } from "./archived-section.tsx";
import { ExportSection } from "./export-section.tsx";
import { ImportSection } from "./import-section.tsx";
import { StorageSection } from "./storage-section.tsx";

registerTexts("transfer", transfer);

/** Data of the account: archived chats, export, import and storage usage. */
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
