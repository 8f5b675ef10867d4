import { countOf } from '../../viewer/page/door.tsx';
import type { Card } from '../shapes.ts';

const singular: Readonly<Record<Card['about']['of'], string>> = {
  messages: 'message',
  rows: 'row',
  people: 'person',
  conversations: 'conversation',
  files: 'file',
};

/** `10 messages`, `about 1,000,000 rows`; empty if the number is not known. */
export function formatAmount({ count, of, isExact }: Card['about']): string {
  if (count === null) return '';
  return `${isExact ? '' : 'about '}${countOf(count, singular[of], of)}`;
}
