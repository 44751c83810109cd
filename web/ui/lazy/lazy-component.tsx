import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { useStore } from "../../store/use-store.ts";
import { type LazyModule, logMissingModule } from "./lazy-module.ts";

/**
 * Returns the component of a lazy module for use in a Suspense. Renders `Instead` while the module cannot be loaded:
 * React's `lazy` alone would cache the failure until the page is closed.
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
