// A panel that its button opens and closes: the browser's own popover. It appears next to the button (which names it by
// `popoverTarget`), above everything, closes at Escape and at a click elsewhere, and returns the focus.
import { Button, type ButtonProps } from '@mantine/core';
import { createContext, type KeyboardEvent, type ReactNode, type ToggleEvent, useContext, useState } from 'react';
import { listTarget } from '../hooks/list-target.ts';
import classes from './Panel.module.css';

type Props = {
  /** What its button, and buttons in it that close it (`popoverTargetAction="hide"`), have as `popoverTarget`. */
  id: string;
  label: string;
  /** The side of the button that it is flush with. */
  align?: 'start' | 'end';
  className?: string | undefined;
  /** There only while the panel is open. */
  children: ReactNode;
};

export function Panel({ id, label, align = 'start', className = '', children }: Readonly<Props>) {
  const [isOpen, setOpen] = useState(false);
  const onToggle = ({ newState, currentTarget }: ToggleEvent<HTMLElement>) => {
    if (newState !== 'open') setOpen(false);
    // A busy browser reports this so late that the user may already be typing in one of the panel's fields.
    else if (!currentTarget.contains(document.activeElement)) currentTarget.focus();
  };
  return (
    // The panel itself has the focus when it opens.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      popover="auto"
      id={id}
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      className={`rb-floating ${classes.panel} ${className}`}
      data-align={align}
      // Its content is removed after it has closed, because the browser returns the focus only while the focused element exists.
      onBeforeToggle={({ newState }) => newState === 'open' && setOpen(true)}
      onToggle={onToggle}
      onKeyDown={moveInMenu}
    >
      {isOpen && <PanelId value={id}>{children}</PanelId>}
    </div>
  );
}

const PanelId = createContext<string | undefined>(undefined);

type ChoiceProps = ButtonProps & { 'aria-pressed'?: boolean; onClick: () => void };

/** A choice of a menu (`rb-menu`) in a panel, which closes with it. */
export function MenuChoice(props: Readonly<ChoiceProps>) {
  const id = useContext(PanelId);
  return <Button variant="subtle" color="gray" popoverTarget={id} popoverTargetAction="hide" {...props} />;
}

/** Arrows move the focus among the choices of a menu; other panels have none. */
function moveInMenu(event: KeyboardEvent<HTMLElement>): void {
  const choices = [...event.currentTarget.querySelectorAll<HTMLElement>('.rb-menu button:enabled')];
  const here = choices.findIndex((choice) => choice === document.activeElement);
  const next = choices[listTarget(event.key, here, choices.length) ?? -1];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
