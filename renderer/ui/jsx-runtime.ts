// What JSX becomes in the built screens, ours and those of packages (vite.config.ts puts it in the place of react/jsx-runtime). As
// React escapes HTML, this escapes characters that hide or reorder text: names, statuses, and messages come from services, senders,
// and imported files and appear in some hundred places, and a place that forgets to escape would show what is not there.
import { Fragment as ReactFragment, jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime';
import { escapeHidden } from '@rainbell/shared';

export const Fragment = ReactFragment;

type CreateElement = typeof reactJsx;

export const jsx: CreateElement = (type, props, key) => reactJsx(type, escapeProps(type, props), key);
export const jsxs: CreateElement = (type, props, key) => reactJsxs(type, escapeProps(type, props), key);

/** The attributes whose text people read or hear. `value` is what they edit, and stays as it is. */
const shownAttributes = ['title', 'aria-label', 'aria-valuetext', 'aria-description', 'alt', 'placeholder'] as const;

/** Components get their props as they are; what they show reaches an element of the page in the end. */
function escapeProps(type: unknown, props: unknown): unknown {
  if ((typeof type !== 'string' && type !== Fragment) || !isRecord(props)) return props;
  let escaped = props;
  const set = (name: string, value: unknown) => {
    if (value !== props[name]) escaped = { ...escaped, [name]: value };
  };
  for (const name of shownAttributes) {
    const value = props[name];
    if (typeof value === 'string') set(name, escapeHidden(value));
  }
  set('children', escapeChildren(props['children']));
  return escaped;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The same children if there is nothing to escape. */
function escapeChildren(children: unknown): unknown {
  if (typeof children === 'string') return escapeHidden(children);
  if (!Array.isArray(children)) return children;
  const list: readonly unknown[] = children;
  const escaped = list.map(escapeChildren);
  return escaped.some((child, index) => child !== list[index]) ? escaped : children;
}
