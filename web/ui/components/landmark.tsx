import { type ComponentProps, createContext, type ReactNode, useContext, useState } from "react";

const LandmarkContext = createContext<HTMLElement | null>(null);

type LandmarkProps = ComponentProps<"main"> & { as: "main" | "nav" };

/** Landmark of the page and portal container of its menus and popovers: all content must belong to a landmark. */
export function Landmark({ as: Tag, children, ...rest }: LandmarkProps) {
  const [element, setElement] = useState<HTMLElement | null>(null);
  return (
    <Tag ref={setElement} {...rest}>
      <LandmarkContext value={element}>{children}</LandmarkContext>
    </Tag>
  );
}

/** Content of a modal dialog: its menus and popovers go to the body, because the page is hidden from screen readers. */
export const NoLandmark = ({ children }: { children: ReactNode }) => (
  <LandmarkContext value={null}>{children}</LandmarkContext>
);

/** Returns the element of the nearest {@link Landmark}; null outside of all, and until it is mounted. */
export const useLandmark = (): HTMLElement | null => useContext(LandmarkContext);
