import type { WholeCheck } from '../check.ts';

export const monthsWithoutMessages: WholeCheck = {
  code: 'months-without-messages',
  severity: 'information',
  title: 'Months without a message',
  explanation: 'Between two months with messages stands one without any: a part of the export may be missing.',
  remedy: 'Compare with the old system, or with the list of the files of the export.',
  isAboutAbsence: true,
  find: `SELECT month AS path, '' AS place, 'nothing until ' || next AS detail FROM (
      SELECT month, number, lead(month) OVER (ORDER BY number) AS next, lead(number) OVER (ORDER BY number) AS next_number
      FROM (SELECT DISTINCT strftime('%Y-%m', day * 86400, 'unixepoch') AS month,
              strftime('%Y', day * 86400, 'unixepoch') * 12 + strftime('%m', day * 86400, 'unixepoch') AS number
            FROM (SELECT DISTINCT sent_at / 86400000 AS day FROM message WHERE verdict = 'planned')))
    WHERE next_number > number + 1`,
};
