import { countOf } from '../../viewer/page/door.tsx';
import type { Affected } from '../shapes.ts';

const singular: Readonly<Record<Affected['of'], string>> = {
  messages: 'message',
  rows: 'row',
  people: 'person',
  conversations: 'conversation',
};

/** `10 messages`, `about 1,000,000 rows`; empty if the number is not known. */
export function formatAmount({ count, of, isAbout }: Affected): string {
  if (count === null) return '';
  return `${isAbout ? 'about ' : ''}${countOf(count, singular[of], of)}`;
}
