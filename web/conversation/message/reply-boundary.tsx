import { Component, type ReactNode } from "react";

type ReplyBoundaryProps = { fallback: ReactNode; children: ReactNode };

/** Keeps a reply that cannot be set from taking the page with it; the root tells the log. */
export class ReplyBoundary extends Component<ReplyBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
