import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { NotFoundPage } from "./not-found-page.tsx";

/**
 * Opens the page of a link, which is a document of its own: a sign-in that began there leads back here. A server without
 * that document has answered with this one, which must not open it again.
 */
export default function LinkPage() {
  const { pathname } = useLocation();
  const [isOfServer] = useState(() => openedPath() === pathname);
  useEffect(() => {
    if (!isOfServer) window.location.replace(pathname);
  }, [isOfServer, pathname]);
  return isOfServer ? <NotFoundPage /> : null;
}

/** Returns the path for which the server has sent this document. */
function openedPath(): string | undefined {
  const [opened] = performance.getEntriesByType("navigation");
  return opened && URL.parse(opened.name)?.pathname;
}
