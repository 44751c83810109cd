import transfer from "../../locales/en/transfer.json";
import { registerTexts } from "../../locales/i18n.ts";
import { ArchivedSection } from "./archived-section.tsx";
import { ExportSection } from "./export-section.tsx";
import { ImportSection } from "./import-section.tsx";
import { StorageSection } from "./storage-section.tsx";

registerTexts("transfer", transfer);

/** Data of the account: export, import, storage usage and archived chats. */
export function DataPage() {
  return (
    <>
      <ExportSection />
      <ImportSection />
      <StorageSection />
      {/* Last, because it grows: no section moves when its chats arrive. */}
      <ArchivedSection />
    </>
  );
}
