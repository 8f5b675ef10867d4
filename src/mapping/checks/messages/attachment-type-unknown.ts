import type { MessageCheck } from '../check.ts';
import { firstFile } from '../attachments.ts';

export const attachmentTypeUnknown: MessageCheck = {
  code: 'attachment-type-unknown',
  severity: 'information',
  title: 'Files of unknown type',
  explanation:
    'The export does not say what kind of file it is, so it is sent as a plain file: pictures are not shown in place.',
  remedy: 'Nothing, or add the type to the export.',
  concerns: 'attachments',
  find: (record) => firstFile(record, ({ mimeType, url }) => !!url && !mimeType),
};
