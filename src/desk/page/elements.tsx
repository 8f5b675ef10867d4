import type { ComponentChildren } from 'preact';
import { Refused } from '../../viewer/page/door.tsx';
import type { IconName } from '../../web/icons.ts';
import { Icon } from '../../web/page/icon.tsx';
import type { DeskError } from '../shapes.ts';
import { changedCode } from './desk.ts';

/** Lines of an error that are seen at once; more are scrolled to. */
const linesMax = 5;

/** An error in words, with what to do about it. */
export function Fault({ error }: { readonly error: Error | DeskError }) {
  const isChanged = error instanceof Refused && error.code === changedCode;
  const message = isChanged ? 'The files changed meanwhile: this is how they are now' : error.message;
  const hint = 'hint' in error ? (error.hint as string | null) : null;
  return (
    <div class="problem" role="alert">
      <p class="plain" tabindex={message.split('\n').length > linesMax ? 0 : undefined} dir="auto">
        {message}
      </p>
      {hint !== null && !isChanged && (
        <p class="soft" dir="auto">
          {hint}
        </p>
      )}
    </div>
  );
}

interface FactsProps {
  readonly rows: readonly (readonly [name: ComponentChildren, value: ComponentChildren])[];
  readonly class?: string;
}

export const Facts = ({ rows, class: more = '' }: FactsProps) => (
  <dl class={`facts ${more}`}>
    {rows.map(([name, value]) => (
      <>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </>
    ))}
  </dl>
);

/** For a form whose answer is not a page: the browser does not load one. */
export const submitting = (work: () => unknown) => (event: Event) => {
  event.preventDefault();
  work();
};

type Level = 'ok' | 'warning' | 'error';

const marks: Readonly<Record<Level, IconName>> = { ok: 'check', warning: 'warning', error: 'close' };

interface ItemProps {
  readonly level: Level;
  readonly title: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A line of a list of findings. */
export const Item = ({ level, title, children }: ItemProps) => (
  <li class={level}>
    <span class="step-mark" aria-hidden="true">
      <Icon name={marks[level]} />
    </span>
    <div>
      <b>
        <span class="unseen">{level}: </span>
        {title}
      </b>{' '}
      {children}
    </div>
  </li>
);
