import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { useStore } from "../../store/use-store.ts";
import { type Later, note } from "./lazy-module.ts";

/**
 * The component of a part, for within a Suspense. Where it cannot be had, `Instead` stands in its place until it can:
 * `lazy` alone would keep its failure as long as the page is open.
 */
export function lazyPart<Props extends object>(
  part: Later<{ default: ComponentType<Props> }>,
  Instead: ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> {
  function UntilThere(props: Props) {
    const here = useStore({ subscribe: part.subscribe, get: part.current });
    return here ? <here.default {...props} /> : <Instead {...props} />;
  }
  return lazy(async () => {
    try {
      return await part.load();
    } catch (cause) {
      note(cause);
      return { default: UntilThere };
    }
  });
}
