import { badRow, note, type SourceCode } from '../kit/codes.ts';

export const intercomCodes: readonly SourceCode[] = [
  badRow(
    'intercom-bad-time',
    'Messages without a time',
    '"created_at" is no time in Unix seconds.',
    'Correct the row, or fetch the conversation again.',
  ),
  badRow(
    'intercom-unclear-part',
    'Texts of which it is not known who saw them',
    'The part has a text, and is neither a reply nor a note. Intercom puts replies that an agent sent together with an action there; whether the customer could read this one, the export does not say.',
    'Look at such a part in Intercom, and say in source.texts of the mapping what texts of its type are, such as { assignment: visible } or { assignment: internal }.',
  ),
  note(
    'intercom-not-migrated',
    'Data that agents and the desk keep about conversations',
    'Tags, attributes, service levels, linked tickets, and addresses of mails are for agents: they are not sent, because customers would see them.',
  ),
];
