import { type ComponentProps, createContext, useContext, useState } from "react";

const LandmarkContext = createContext<HTMLElement | null>(null);

type LandmarkProps = ComponentProps<"main"> & { as: "main" | "nav" };

/** A landmark of the page. Menus and popovers that are opened in it are rendered into it, as all content belongs to one. */
export function Landmark({ as: Tag, children, ...rest }: LandmarkProps) {
  const [element, setElement] = useState<HTMLElement | null>(null);
  return (
    <Tag ref={setElement} {...rest}>
      <LandmarkContext value={element}>{children}</LandmarkContext>
    </Tag>
  );
}

/** Returns the element of the nearest {@link Landmark}; null outside of all, and until it is on the page. */
export const useLandmark = (): HTMLElement | null => useContext(LandmarkContext);
