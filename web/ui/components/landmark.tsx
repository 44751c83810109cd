import { type ComponentProps, createContext, useContext, useState } from "react";

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

/** Returns the element of the nearest {@link Landmark}; null outside of all, and until it is mounted. */
export const useLandmark = (): HTMLElement | null => useContext(LandmarkContext);
