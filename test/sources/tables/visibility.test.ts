import { describe, expect, it } from 'vitest';
import { proposeBindings } from '../../../src/sources/tables/propose/propose.ts';
import type { Row } from '../../../src/sources/tables/row.ts';

const row = (cells: Readonly<Record<string, string>>, line: number): Row => ({
  type: 'row',
  get: (name) => (Object.hasOwn(cells, name) ? cells[name] : undefined),
  names: () => Object.keys(cells),
  location: { path: 'notes.csv', line },
});

/** Returns the finding for a table whose first row everyone could see, with one more column. */
async function asked(column: string, values: readonly string[], messages: Readonly<Record<string, unknown>> = {}) {
  const rows = values.map((value, index) =>
    row(
      {
        ...{ id: String(index + 1), ticket_id: '7', author_id: index === 0 ? 'ines' : 'bo' },
        ...{ created_at: `2026-03-02T09:1${index % 10}:00Z`, body: `Words ${index}`, [column]: value },
      },
      index + 2,
    ),
  );
  const { findings } = await proposeBindings([{ path: 'notes.csv', table: {}, rows }], { messages });
  return findings.find(({ key }) => key === 'messages.only' || key === 'messages.skipWhen');
}

describe('proposeVisibility()', () => {
  it.each([
    ['agent_only', '0', '1'],
    ['channel', 'public', 'internal'],
    ['comment_type', 'reply', 'internal_note'],
    ['deleted_by', '', 'ines'],
    ['draft', '0', '1'],
    ['ephemeral', '0', '1'],
    ['hidden', '0', '1'],
    ['internal', 'no', 'yes'],
    ['internal_comment', '0', '1'],
    ['is_draft', '0', '1'],
    ['is_note', '0', '1'],
    ['is_public', '1', '0'],
    ['is_spam', '0', '1'],
    ['is_visible', '1', '0'],
    ['is_whisper', '0', '1'],
    ['isInternalNote', 'false', 'true'],
    ['message_type', 'outgoing', 'private'],
    ['only_agents', '0', '1'],
    ['part_type', 'comment', 'note'],
    ['private', '0', '1'],
    ['public', 'true', 'false'],
    ['restricted_visibility', '', 'bo'],
    ['shadow_banned', 'f', 't'],
    ['sichtbarkeit', 'öffentlich', 'intern'],
    ['spam', '0', '1'],
    ['status', 'sent', 'draft'],
    ['status', 'delivered', 'not_sent'],
    ['moderation_status', 'ok', 'hidden'],
    ['state', 'ok', 'scheduled'],
    ['type', 'comment', 'note'],
    ['type', 'MESSAGE', 'COMMENT'],
    ['visibility', 'all', 'agents'],
    ['visible_to', 'all', 'bo'],
    ['whisper', 'false', 'true'],
  ])('asks whether to send rows if %s is %j, and leaves them out if it is %j', async (column, shown, hidden) => {
    const { value, alternatives } = (await asked(column, [shown, hidden]))!;
    const { [column]: passing } = value as Readonly<Record<string, readonly string[]>>;
    const passes = (text: string) => (Array.isArray(passing) ? passing.includes(text) : text === '');
    expect([passes(shown), passes(hidden)]).toEqual([true, false]);
    if (!Array.isArray(passing)) expect(passing).toEqual({ filled: false });
    expect(alternatives).toMatchObject([{ value: {} }]);
  });

  it('asks about a column that the conditions of the user do not name', async () => {
    expect(await asked('is_private', ['0', '1'], { only: { author_id: ['ines', 'bo'] } })).toMatchObject({
      key: 'messages.skipWhen',
      value: { is_private: ['1'] },
    });
    expect(await asked('is_private', ['0', '1'], { skipWhen: { author_id: 'cy' } })).toMatchObject({
      key: 'messages.only',
      value: { is_private: ['0', ''] },
    });
  });

  it.each([{ only: {} }, { skipWhen: {} }, { only: { is_private: '0' } }])(
    'asks nothing more after %j',
    async (messages) => {
      expect(await asked('is_private', ['0', '1'], messages)).toBeUndefined();
    },
  );

  it('lets the opposite of a hidden value pass, even if the sample lacks it', async () => {
    expect((await asked('is_public', ['False', 'False']))?.value).toEqual({ is_public: ['', 'True'] });
  });

  it('leaves out a row whose flag is another word, and asks about the others all the same', async () => {
    expect((await asked('public', ['true', 'false', '1', 'maybe']))?.value).toEqual({
      public: ['true', '1', ''],
    });
    expect((await asked('is_internal', ['0', '1', '0', 'sometimes']))?.value).toEqual({ is_internal: ['0', ''] });
  });

  it('lets nothing pass that the sample does not have', async () => {
    const { value, alternatives } = (await asked('is_internal', ['0', '0']))!;
    expect(value).toEqual({ is_internal: ['0', ''] });
    expect(alternatives).toEqual([]);
  });

  it.each([
    ['kind', 'text', 'voice_note'],
    ['sender_type', 'customer', 'internal'],
    ['room_type', 'public', 'private'],
    ['is_first', '0', '1'],
    ['subject', 'Delivery note of Tuesday', 'Where is my boat'],
    ['type', 'comment', 'reply'],
    ['note', '', ''],
    ['channel_private', '0', '1'],
    ['sender_blocked', '0', '1'],
  ])('asks nothing where %s is %j and %j', async (column, one, other) => {
    expect(await asked(column, [one, other])).toBeUndefined();
  });

  it('checks a column of any name if few values repeat', async () => {
    const values = ['shown', 'shown', 'shown', 'shown', 'shown', 'hidden'];
    expect((await asked('mark', values))?.value).toEqual({ mark: ['shown', ''] });
  });

  it('asks nothing for values around a list, or for comments alone', async () => {
    expect(await asked('$outer.error', ['false', 'true'])).toBeUndefined();
    expect(await asked('type', ['Comment', 'Reply'])).toBeUndefined();
  });
});
