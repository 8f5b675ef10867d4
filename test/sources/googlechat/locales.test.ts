import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../../src/sources/googlechat/dates.ts';
import { googlechat } from '../../../src/sources/googlechat/index.ts';
import { dateLanguages } from '../../../src/sources/kit/time/date-words.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';

const regions = 'AE AF AT BR CA CH CN CO EG ET FR GB HK IN IQ IR KE MA MX PK PT RS SA TW US UZ'.split(' ');
const tags = dateLanguages()
  .flatMap(({ language }) => [language, ...regions.map((region) => `${language}-${region}`)])
  .filter((tag) => new Intl.DateTimeFormat(tag).resolvedOptions().locale === tag);
const instants = [
  Date.UTC(2026, 2, 2, 0, 5, 7),
  Date.UTC(2026, 8, 2, 12, 5, 7),
  Date.UTC(2024, 1, 29, 18, 5, 7),
  Date.UTC(2025, 4, 31, 23, 59, 59),
];
const formatOf = (tag: string) =>
  new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeStyle: 'long', timeZone: 'UTC' });

describe('dates of every locale that this Node has', () => {
  /** Their dates have words that cannot be distinguished from others. */
  const refused = new Set(['dz', 'kgp', 'kgp-BR', 'ku']);

  it('are read as the instant that was written, or not at all', () => {
    const others = tags.flatMap((tag) => {
      const format = formatOf(tag);
      return instants.flatMap((instant) => {
        const written = format.format(instant);
        const read = parseInstant(written);
        return read === instant || (read === undefined && refused.has(tag)) ? [] : [[tag, written, read]];
      });
    });
    expect(others).toEqual([]);
    expect(tags.length).toBeGreaterThan(300);
  });

  it('are refused with the date that was found and the form that was expected', async () => {
    const created_date = formatOf('dz').format(instants[0]);
    const row = { creator: { name: 'Ines' }, created_date, topic_id: 't', message_id: 'abc/t/t', text: 'x' };
    const entries = await readAll(googlechat, memoryInput({ 'Groups/DM abc/messages.json': { messages: [row] } }));
    const [reject] = entries.flatMap((entry) => (entry.type === 'invalid' ? [entry] : []));
    expect(reject).toMatchObject({ code: 'googlechat-bad-time' });
    expect(reject!.reason).toContain(JSON.stringify(created_date).slice(1, 20));
    expect(reject!.reason).toContain('Monday, March 2, 2026 at 9:00:00 AM UTC');
  });
});
