import { ArchivedSection } from "./archived-section.tsx";

/** What there is of a person's chats beside the list of them: those put away, and ways out and in. */
export function DataPage() {
  return <ArchivedSection />;
}
