import { Component, type ReactNode } from "react";

type FallbackBoundaryProps = { fallback: ReactNode; children: ReactNode };

/** Error boundary that shows `fallback` in place of children that fail to render. React's root logs the error. */
export class FallbackBoundary extends Component<FallbackBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
