import { nearestName } from '../../../lib/text/nearest-name.ts';
import type { AnswerFault } from '../../source.ts';
import { bindMessages } from '../bind/messages.ts';
import { bindConversations, bindUsers } from '../bind/people.ts';
import type { BindContext, RowBinder } from '../bind/row-binder.ts';
import type { Row } from '../row.ts';
import { bindingShape } from '../schema/bindings.ts';
import { namesOf } from './columns.ts';

type Section = 'messages' | 'users' | 'conversations';

const context: BindContext = {
  ...{ source: '', workspace: '', nulls: [], zone: undefined },
  isDescribed: () => false,
  describe() {},
};

/** The least that each section must have, for binding one key of it alone. */
const nothing = { constant: '' };
const least = {
  messages: { conversation: nothing, time: { from: nothing } },
  users: { id: nothing },
  conversations: { id: nothing },
};

/** Columns that the user's own bindings name and the table does not have, with the name that was probably meant. */
export function answeredColumnFaults(section: Section, decided: unknown, rows: readonly Row[]): readonly AnswerFault[] {
  if (typeof decided !== 'object' || decided === null || rows.length === 0) return [];
  const known = namesOf(rows);
  const isFixed = rows[0]!.names().join('\n') === rows.at(-1)!.names().join('\n');
  return Object.entries(decided).flatMap(([key, value]) =>
    namesIn(section, key, value).flatMap((name): AnswerFault[] => {
      if (known.includes(name) || rows.some((row) => row.get(name) !== undefined)) return [];
      const meant = nearestName(name, known);
      // Rows of JSON may have fields that no row of the sample has.
      if (!isFixed && meant === undefined) return [];
      const instead = meant === undefined ? '.' : `; did you mean ${JSON.stringify(meant)}?`;
      const columns = known.slice(0, 30).map((column) => JSON.stringify(column));
      return [
        {
          key: `${section}.${key}`,
          reason: `There is no column ${JSON.stringify(name)}${instead} The columns are ${columns.join(', ')}`,
        },
      ];
    }),
  );
}

/** Columns that one key of a section names; none where it is not finished, or wrong in itself. */
function namesIn(section: Section, key: string, value: unknown): readonly string[] {
  const binder = binderOf(section, { ...least[section], [key]: value });
  return binder ? [...binder.required, ...binder.optional] : [];
}

function binderOf(section: Section, bindings: unknown): RowBinder | undefined {
  const { messages, users, conversations } = bindingShape;
  if (section === 'messages') {
    const { data } = messages.safeParse(bindings);
    return data && bindMessages(data, context);
  }
  if (section === 'users') {
    const { data } = users.safeParse(bindings);
    return data && bindUsers(data, context);
  }
  const { data } = conversations.safeParse(bindings);
  return data && bindConversations(data, context);
}
