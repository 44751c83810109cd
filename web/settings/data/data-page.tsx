import "../../locales/transfer-texts.ts";
import { ArchivedSection } from "./archived-section.tsx";
import { ExportSection } from "./export-section.tsx";
import { ImportSection } from "./import-section.tsx";

/** What there is of a person's chats beside the list of them: those put away, and ways out and in. */
export function DataPage() {
  return (
    <>
      <ArchivedSection />
      <ExportSection />
      <ImportSection />
    </>
  );
}
