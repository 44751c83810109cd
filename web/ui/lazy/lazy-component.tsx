import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { useStore } from "../../store/use-store.ts";
import { type LazyModule, logMissingModule } from "./lazy-module.ts";

/**
 * The component of a lazy module, for within a Suspense. While it cannot be loaded, `Instead` stands in its place:
 * `lazy` alone would keep its failure as long as the page is open.
 */
export function lazyComponent<Props extends object>(
  module: LazyModule<{ default: ComponentType<Props> }>,
  Instead: ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> {
  function UntilThere(props: Props) {
    const here = useStore(module);
    return here ? <here.default {...props} /> : <Instead {...props} />;
  }
  return lazy(async () => {
    try {
      return await module.load();
    } catch (cause) {
      logMissingModule(cause);
      return { default: UntilThere };
    }
  });
}
