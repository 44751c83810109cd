import transfer from "../../locales/en/transfer.json";
import { registerTexts } from "../../locales/i18n.ts";
import { lazyModule } from "../../ui/lazy/lazy-module.ts";
import { LazyPage } from "../lazy-page.tsx";
import { ArchivedSection } from "./archived-section.tsx";
import { ExportSection } from "./export-section.tsx";
import { ImportSection } from "./import-section.tsx";
import { StorageSection } from "./storage-section.tsx";

registerTexts("transfer", transfer);

const sharedLinksModule = lazyModule(async () => (await import("./shared-links-section.tsx")).SharedLinksSection);

/** Data of the account: export, import, storage usage, links to chats and archived chats. */
export function DataPage() {
  return (
    <>
      <ExportSection />
      <ImportSection />
      <StorageSection />
      <LazyPage module={sharedLinksModule} />
      {/* Last, because it grows: no section moves when its chats arrive. */}
      <ArchivedSection />
    </>
  );
}
