import type { SourceCode } from '../kit/codes.ts';

export const metaCodes: readonly SourceCode[] = [
  {
    code: 'meta-same-name',
    severity: 'information',
    title: 'People of the same name',
    explanation:
      'Two people of a conversation have the same name, and the download has nothing else to distinguish them: they become one.',
    remedy: 'Nothing; or give one of them another name in their account, and download again.',
  },
  {
    code: 'meta-not-migrated',
    severity: 'information',
    title: 'Settings of threads',
    explanation: 'Word effects and addresses that invite into a group have no counterpart at the destination.',
    remedy: 'Nothing.',
  },
];
