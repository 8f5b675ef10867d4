import type { SourceCode } from '../kit/codes.ts';

export const intercomCodes: readonly SourceCode[] = [
  {
    code: 'intercom-bad-time',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation: '"created_at" is no time in Unix seconds.',
    remedy: 'Correct the row, or fetch the conversation again.',
  },
  {
    code: 'intercom-unclear-part',
    severity: 'blocks',
    title: 'Texts of which it is not known who saw them',
    explanation:
      'The part has a text, and is neither a reply nor a note. Intercom puts replies that an agent sent together with an action there; whether the customer could read this one, the export does not say.',
    remedy:
      'Look at such a part in Intercom, and say in source.texts of the mapping what texts of its type are, such as { assignment: visible } or { assignment: internal }.',
  },
  {
    code: 'intercom-not-migrated',
    severity: 'information',
    title: 'Data that agents and the desk keep about conversations',
    explanation:
      'Tags, attributes, service levels, linked tickets, and addresses of mails are for agents: they are not sent, because customers would see them.',
    remedy: 'Nothing.',
  },
];
