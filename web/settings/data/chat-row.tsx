import type { ReactNode } from "react";
import { chatAddress } from "../../chats/chat-address.ts";
import { Row } from "../../page/section.tsx";
import { Link } from "../../ui/components/link.tsx";

/** Item of a list of chats: the title as a link to the chat, a line below it, and the controls beside it. */
export function ChatRow(props: { id: string; title: string; text?: ReactNode; children: ReactNode }) {
  const { id, title, text, children } = props;
  const link = (
    <Link to={chatAddress(id)} dir="auto" className="own-way block hover:underline">
      {title}
    </Link>
  );
  return (
    <li>
      <Row title={link} text={text}>
        {children}
      </Row>
    </li>
  );
}
