import type { WholeCheck } from '../check.ts';

export const nothingToSend: WholeCheck = {
  code: 'nothing-to-send',
  severity: 'decision',
  title: 'Nothing to send',
  explanation: 'Not one message of the export would be sent.',
  remedy: 'Look at the rules by which messages are skipped, and at the rejects.',
  find: `SELECT '' AS path, '' AS place, (SELECT count(*) FROM message) || ' rows were read' AS detail
    WHERE NOT EXISTS (SELECT 1 FROM message WHERE verdict = 'planned')`,
};
