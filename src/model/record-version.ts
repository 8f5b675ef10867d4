import type { MessageRecord } from './records.ts';

type Marks = Pick<MessageRecord, 'version' | 'isDeleted' | 'edited' | 'internal'>;

/**
 * Returns a text that shows which of several versions of one message is the later one: it is greater for the later
 * version, compared by code unit. It holds, in this order: the update time of the row, whether the message was deleted or is internal,
 * the time of its last edit or dated mark, and when the export was made. Empty if the record has none of these. Equal
 * texts do not distinguish two versions.
 */
export function versionOfRecord({ version, isDeleted, edited, internal }: Marks): string {
  if (version === undefined && isDeleted === undefined && edited === undefined && internal === undefined) return '';
  // An edit without a time is more than none.
  const markedAtMs = Math.max(edited ? (edited.atMs ?? 1) : 0, version?.markedAtMs ?? 0);
  const steps = [
    time(version?.changedAtMs),
    isDeleted || internal !== undefined ? '1' : '0',
    time(markedAtMs),
    time(version?.exportedAtMs),
  ];
  return steps.join('').replace(/0+$/, '');
}

/** Eleven digits hold every time that a date can have. */
const time = (ms = 0): string => Math.max(0, ms).toString(36).padStart(11, '0');
