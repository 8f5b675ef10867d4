import type { WholeCheck } from '../check.ts';

export const exportGap: WholeCheck = {
  code: 'export-gap',
  severity: 'decision',
  title: 'Time between two exports that neither holds',
  explanation:
    'With exportKeeps: recent, an export of the last days or weeks should begin before the one before it ends. Here it begins later: what was written between may be missing.',
  remedy: 'Plan an export that covers the time between, and let exports overlap from now on: more days, or more often.',
  find: `SELECT c.source_id AS path, '' AS place,
      'nothing between ' || strftime('%Y-%m-%dT%H:%M:%SZ', g.after_at / 1000, 'unixepoch') || ' and ' ||
      strftime('%Y-%m-%dT%H:%M:%SZ', g.before_at / 1000, 'unixepoch') AS detail
    FROM export_gap g JOIN conversation c ON c.id = g.conversation ORDER BY g.conversation, g.after_at`,
};
