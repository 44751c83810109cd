import { useSession } from "../accounts/session/session.ts";
import { lazyModule, useLazyModule } from "../ui/lazy/lazy-module.ts";

const noticesModule = lazyModule(() => import("./site-notices.tsx"));

/** Mounts the notices of a page for the signed-in person. Their module is loaded after the page. */
export function NoticeMount({ isInChat = false }: { isInChat?: boolean }) {
  const { isSignedIn } = useSession();
  const notices = useLazyModule(noticesModule, isSignedIn);
  return notices && <notices.SiteNotices isInChat={isInChat} />;
}
