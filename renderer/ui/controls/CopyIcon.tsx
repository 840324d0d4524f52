// A button that copies a text and says so, or that it could not.
import { ActionIcon } from '@mantine/core';
import { IconCheck, IconCopy, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';

type Props = {
  /** A function if the text is long or has to be made first; it runs at the click. */
  text: string | (() => string);
  label: string;
  icon?: ReactNode;
  /** Gray, as the header's other icons. */
  isQuiet?: boolean;
};

export function CopyIcon({ text, label, icon = <IconCopy size={16} />, isQuiet = false }: Readonly<Props>) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), 1500);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () => {
    navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    );
  };
  const shownLabel = outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Couldn’t copy to the clipboard' : label;
  return (
    <>
      <ActionIcon {...(isQuiet && { color: 'gray' })} aria-label={shownLabel} title={shownLabel} onClick={copy}>
        {outcome === 'copied' ? <IconCheck size={16} /> : outcome === 'failed' ? <IconX size={16} /> : icon}
      </ActionIcon>
      {/* A cross alone would say that it closes something. */}
      {outcome === 'failed' && (
        <span role="alert" className="rb-tone rb-small" data-tone="bad">
          {shownLabel}
        </span>
      )}
    </>
  );
}
