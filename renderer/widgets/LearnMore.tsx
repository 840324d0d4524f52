// A link to the section of the help that explains a control. A test holds each of them to a section that exists.
import { Anchor } from '@mantine/core';

type Props = {
  /** Page and section of the help, as in `callbacks?at=search-callbacks`. */
  to: string;
  /** Its subject, for users who hear only the link. */
  about: string;
  /** Closes the dialog that it is in. */
  onFollow?: () => void;
};

export function LearnMore({ to, about, onFollow }: Readonly<Props>) {
  return (
    <Anchor
      inherit
      href={`#/help/${to}`}
      aria-label={`Learn more: ${about}`}
      style={{ whiteSpace: 'nowrap' }}
      onClick={onFollow}
    >
      Learn more
    </Anchor>
  );
}
