import { Suspense, useId, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../store/use-store.ts";
import { cx } from "../../ui/components/cx.ts";
import { Landmark } from "../../ui/components/landmark.tsx";
import { lazyComponent } from "../../ui/lazy/lazy-component.tsx";
import { lazyModule } from "../../ui/lazy/lazy-module.ts";
import { currentLink } from "../list/list-elements.ts";
import { Sidebar } from "../sidebar.tsx";
import { SidebarRail } from "./sidebar-rail.tsx";
import { isSidebarCollapsed, sidebarWidth } from "./sidebar-shape.ts";

const ResizeHandle = lazyComponent(
  lazyModule(async () => ({ default: (await import("./resize-handle.tsx")).ResizeHandle })),
  () => null,
);

type SidebarPanelProps = { username: string | null; onLogout: () => void; onBegun: () => void };

/**
 * The sidebar beside the main area, 30 % of the window unless it was resized, or collapsed to a rail. Not on a phone,
 * where it is in a drawer. The collapsed list stays mounted: shortcuts go through its chats.
 */
export function SidebarPanel({ username, onLogout, onBegun }: SidebarPanelProps) {
  const { t } = useTranslation("chat");
  const id = useId();
  const width = useStore(sidebarWidth);
  const isCollapsed = useStore(isSidebarCollapsed);
  const panel = useRef<HTMLDivElement>(null);
  const expander = useRef<HTMLButtonElement>(null);
  const collapser = useRef<HTMLButtonElement>(null);
  const before = useRef(isCollapsed);
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    if (before.current === isCollapsed || !panel.current) return;
    before.current = isCollapsed;
    if (!isCollapsed) currentLink(panel.current)?.scrollIntoView({ block: "nearest" });
    // The focused element has just been hidden or removed.
    if (hasFocus.current) (isCollapsed ? expander : collapser).current?.focus();
  }, [isCollapsed]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the focus is only observed
    <div
      ref={panel}
      onFocus={() => {
        hasFocus.current = true;
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        hasFocus.current = currentTarget.contains(relatedTarget);
      }}
      style={{ width: isCollapsed || width === null ? undefined : width }}
      className={cx("hidden shrink-0 md:block print:hidden", isCollapsed ? "w-14" : "w-[30%] min-w-60 max-w-[50%]")}
    >
      <Landmark as="nav" id={id} aria-label={t("sidebar.label")} className="relative h-full border-hairline border-e">
        <div className={isCollapsed ? "hidden" : "contents"}>
          <Sidebar username={username} onLogout={onLogout} onBegun={onBegun} collapser={collapser} />
          <Suspense fallback={null}>
            <ResizeHandle panel={panel} panelId={id} />
          </Suspense>
        </div>
        {isCollapsed && <SidebarRail username={username} onBegun={onBegun} expander={expander} />}
      </Landmark>
    </div>
  );
}
