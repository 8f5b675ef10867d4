import type { ComponentChildren } from 'preact';

/** Initials on a ground of their own: nothing is loaded from elsewhere, so no picture is. */
export function Avatar({
  name,
  id,
  isGroup = false,
}: {
  readonly name: string;
  readonly id: string;
  readonly isGroup?: boolean;
}) {
  return (
    <span class={`avatar hue-${hueOf(id)}${isGroup ? ' square' : ''}`} aria-hidden="true">
      {isGroup ? '#' : initialsOf(name)}
    </span>
  );
}

const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function initialsOf(name: string): string {
  const words = name
    .replace(/[^\p{L}\p{N}\p{Extended_Pictographic} ]/gu, ' ')
    .split(' ')
    .filter(Boolean);
  const first = (word: string | undefined) =>
    word === undefined ? '' : ([...segments.segment(word.slice(0, 20))][0]?.segment ?? '');
  const initials = words.length > 1 ? first(words[0]) + first(words.at(-1)) : first(words[0]);
  return initials.toUpperCase() || '?';
}

/** One of twelve, always the same for one id. */
function hueOf(id: string): number {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + character.codePointAt(0)!) % 9973;
  return sum % 12;
}

export function Problem({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="problem" role="alert">
      {children}
    </p>
  );
}

export const Empty = ({ children }: { readonly children: ComponentChildren }) => <p class="empty">{children}</p>;

/** Names and texts of others may turn the order of letters: what stands beside them keeps its own. */
export const Name = ({ children }: { readonly children: string }) => <bdi>{children}</bdi>;

interface FindProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
}

/** The field that `/` leads to. */
export const Find = ({ label, value, onInput }: FindProps) => (
  <input
    id="find"
    type="search"
    placeholder={label}
    aria-label={label}
    value={value}
    onInput={(event) => onInput(event.currentTarget.value)}
  />
);

export const More = ({ more }: { readonly more: (() => void) | undefined }) =>
  more ? (
    <button type="button" onClick={more}>
      Show more
    </button>
  ) : null;
