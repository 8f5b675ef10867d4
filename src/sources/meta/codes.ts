import { note, type SourceCode } from '../kit/codes.ts';

export const metaCodes: readonly SourceCode[] = [
  note(
    'meta-same-name',
    'People of the same name',
    'Two people of a conversation have the same name, and the download has nothing else to distinguish them: they become one.',
    'Nothing; or give one of them another name in their account, and download again.',
  ),
  note(
    'meta-not-migrated',
    'Settings of threads',
    'Word effects and addresses that invite into a group have no counterpart at the destination.',
  ),
];
