import { note, type SourceCode } from '../kit/codes.ts';

export const metaCodes: readonly SourceCode[] = [
  note(
    'meta-same-name',
    'People of the same name',
    'Several people of a conversation have the same name, and the download has nothing else to distinguish them.',
    'Nothing, if it does not matter who of them wrote: they become one person. Else let one of them take another name in their account, and download again.',
  ),
  note(
    'meta-not-migrated',
    'Settings of threads',
    'Word effects and addresses that invite into a group have no counterpart at the destination.',
  ),
];
