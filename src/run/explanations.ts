import { checks } from '../checks/registry.ts';

/** What the codes of the service and of our own mean for a person, where no check and no source explains them. */
const known: Readonly<Record<string, string>> = {
  'unknown-author':
    'No file of the export describes who wrote this. Set people.unknownAuthors: placeholder in the mapping to keep such messages.',
  outsider:
    'A third person wrote in a direct conversation. Set conversations.outsiders: group in the mapping to make it a group.',
  late_outsider: 'A third person wrote in a conversation that already is a one-to-one chat at the destination.',
  'different-content': 'The destination has another message under this id. Look at both; nothing was overwritten.',
  'possible-duplicate': 'The destination shows this message more than once.',
  'direct-as-group':
    'The service has one chat for two people. A further direct conversation of the same two becomes a group, so that neither mixes with the other.',
  'unknown-file': 'The file is not part of the format; nothing of it was read.',
  'changed-after-sending': 'The export changed after the message was sent. The destination keeps what was sent.',
  'left-out':
    "Rows that the mapping's skipWhen or only leaves out, counted per file. They are not among the messages read.",
  'missing-column':
    'The mapping names a column that the file does not have. Correct its name, or take it out of the mapping.',
  'shortened-id':
    'A spreadsheet has cut digits off this id (1.23E+17): nothing can bring them back. Export the table again without opening it in one.',
  'bad-time': 'The time does not have the format that the mapping says. Correct source.messages.time, or the row.',
  'field-count':
    'The row has more or fewer fields than the header: mostly a delimiter or a line break that should stand in quotes.',
  'unclosed-quote':
    'A quote opens and is never closed, so what follows cannot be told apart. Correct the row, or set source.quote in the mapping.',
  'encoding-assumed':
    'The bytes are not UTF-8; the encoding was chosen by its letters. Set source.encoding in the mapping if names look wrong.',
  'described-late':
    'People described after messages that name them: those messages show them by id. Put people first in the file.',
  'last-message-gone': 'The destination no longer shows the last message that was sent there, so nothing was added.',
  symlink: 'Links inside an export are not followed.',
  ERR_EMPTY_MESSAGE_TEXT: 'The service refuses blank messages.',
  ERR_UID_NOT_FOUND: 'The service does not know a person that the message names, or the person is deactivated.',
  ERR_GUID_NOT_FOUND: 'The service does not know the group.',
  ERR_BAD_REQUEST: 'The service found the request invalid; its words say why.',
  'deleted at the source':
    'Deleted before the export was made. Set messages.deleted: keep in the mapping to send what is left.',
  'gone from the export': 'Staged by an earlier plan and not sent here yet; the export does not hold it any more.',
  call: 'Calls and huddles. Set messages.calls: keep in the mapping to send them as text.',
  'empty message': 'Neither text nor a file with an address; skipped by messages.empty in the mapping.',
  'bot message': 'Written by bots; skipped by people.bots in the mapping.',
  'conversation excluded': 'Left out by conversations.exclude in the mapping.',
};

/** One sentence for a rule or code; empty where its own words say everything. */
export function explain(code: string): string {
  const check = checks.find((candidate) => candidate.code === code);
  if (check) return check.explanation;
  if (code.startsWith('system message'))
    return 'Written by the platform. Set messages.system: keep in the mapping to send them as text.';
  return known[code] ?? '';
}
