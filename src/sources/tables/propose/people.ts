import { aliases, columnsNamed } from './aliases.ts';
import { type ColumnProfile, distinct, type Draft, evidence, namesOf, profileOf } from './columns.ts';
import type { Row } from '../row.ts';
import { sniffTime } from './time.ts';

type Sample = { readonly rows: readonly Row[]; readonly nulls: readonly string[] };

/** How the rows of people would be bound. */
export function proposeUsers(sample: Sample, draft: Draft): void {
  const { name, firstName, lastName, createdAt, ...others } = aliases.user;
  const [full] = filled(sample, name);
  const [first] = filled(sample, firstName);
  const [last] = filled(sample, lastName);
  choose(draft, 'users', sample, { id: others.id }, true);
  if (full || !first || !last) choose(draft, 'users', sample, { name });
  else {
    const value = { template: `{${first.name}} {${last.name}}` };
    draft.choose('users.name', { value, because: `${evidence(first)}; ${evidence(last)}` });
  }
  const { id: _, ...optional } = others;
  choose(draft, 'users', sample, optional);
  chooseTime(draft, 'users.createdAt', filled(sample, createdAt));
}

/** How the rows of conversations would be bound. */
export function proposeConversations(sample: Sample, draft: Draft): void {
  const { id, type, createdAt, ...optional } = aliases.conversation;
  choose(draft, 'conversations', sample, { id }, true);
  const [kind] = filled(sample, type).filter((profile) => distinct(profile).length <= 10);
  if (kind) {
    const values = Object.fromEntries(distinct(kind).map((word) => [word, typeOf(word)]));
    const isSame = Object.entries(values).every(([word, known]) => word === known);
    const value = isSame ? kind.name : { from: kind.name, values };
    draft.choose('conversations.type', {
      value,
      because: `"${kind.name}" holds ${distinct(kind)
        .map((word) => JSON.stringify(word))
        .join(', ')}`,
    });
  }
  choose(draft, 'conversations', sample, optional);
  chooseTime(draft, 'conversations.createdAt', filled(sample, createdAt));
}

function choose(
  draft: Draft,
  section: string,
  sample: Sample,
  fields: Readonly<Record<string, string>>,
  isRequired = false,
): void {
  for (const [field, list] of Object.entries(fields)) {
    const [best] = filled(sample, list);
    const key = `${section}.${field}`;
    if (best) draft.choose(key, { value: best.name, because: evidence(best), isRequired });
    else if (isRequired) draft.choose(key, { because: 'no column is named like an id', isRequired });
  }
}

function chooseTime(draft: Draft, key: string, profiles: readonly ColumnProfile[]): void {
  for (const profile of profiles) {
    const [format, ...others] = sniffTime(profile);
    if (!format || others.length > 0) continue;
    const value = format.format === 'iso' ? profile.name : { from: profile.name, format: format.format };
    draft.choose(key, { value, because: `"${profile.name}"; ${format.because}` });
    return;
  }
}

function filled({ rows, nulls }: Sample, list: string): readonly ColumnProfile[] {
  return columnsNamed(namesOf(rows), list)
    .map((name) => profileOf(rows, name, nulls))
    .filter(({ texts }) => texts.length > 0);
}

/** What a platform's word for a type of conversation means; private where it is not known. */
function typeOf(word: string): string {
  if (/^(?:d|dm|im|direct|one.?to.?one|1.?1|p2p|single)/i.test(word)) return 'direct';
  if (/^(?:group.?direct|mpim|group.?dm)/i.test(word)) return 'group-direct';
  return /^(?:public|open|channel|c|o)$/i.test(word) ? 'public' : 'private';
}
