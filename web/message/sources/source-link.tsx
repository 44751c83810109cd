import type { ReactNode } from "react";
import { webAddressOf } from "#contract/conversation/citations/cited-sources.ts";
import { chatAddress, readChatAddress } from "../../chats/chat-address.ts";
import { Link } from "../../ui/components/link.tsx";

/** Returns the address in this application of a message of an own chat; null for other sources. */
export function ownAddressOf(url: string): string | null {
  if (!url.startsWith("/chat?")) return null;
  const { chat, message } = readChatAddress(new URLSearchParams(url.slice("/chat?".length)));
  return chat === null ? null : chatAddress(chat, message);
}

/** Returns the host of a source on the web, without `www.`; null for other sources. */
export function siteOf(url: string): string | null {
  const address = webAddressOf(url);
  return (address !== null && URL.parse(address)?.hostname.replace(/^www\./, "")) || null;
}

type SourceLinkProps = { url: string; className: string; children: ReactNode };

/** A link to a source, with the rules of links in answers; plain words if its address is neither on the web nor a chat. */
export function SourceLink({ url, className, children }: SourceLinkProps) {
  const own = ownAddressOf(url);
  if (own !== null)
    return (
      <Link to={own} className={className}>
        {children}
      </Link>
    );
  const address = webAddressOf(url);
  if (address === null) return <span>{children}</span>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow" className={className}>
      {children}
    </a>
  );
}
