import { useState } from 'preact/hooks';
import { type ChosenMeanings, type ValueTable, valuesSetting } from '../../decisions/value-table.ts';
import { countOf, Find } from '../../viewer/page/door.tsx';
import type { Card } from '../shapes.ts';

export const zoneKey = 'source.zone';

interface FieldProps {
  readonly label: string;
  /** As a setting is written. */
  readonly text: string;
  readonly onText: (text: string) => void;
}

interface OwnAnswerProps extends Pick<FieldProps, 'text' | 'onText'> {
  readonly input: NonNullable<Card['input']>;
  readonly isChosen: boolean;
}

/** An answer that is none of the options, by its type: chosen from columns, tables, zones or meanings, and typed if nothing else will do. */
export function OwnAnswer({ input, isChosen, text, onText }: OwnAnswerProps) {
  const { key, label, type } = input;
  const field = { label, text: isChosen ? text : '', onText };
  const isText = type === 'text' || (type !== 'zone' && !input.choices && !input.table);
  return (
    <div class={isChosen ? 'answer chosen' : 'answer'}>
      <input
        type="radio"
        name="answer"
        id="own"
        checked={isChosen}
        onChange={() => onText(isChosen ? text : firstText(input))}
        aria-label={label}
      />
      <span class="answer-words">
        <label for={isText ? 'own-text' : 'own'}>
          <b dir="auto">{label}</b>
        </label>
        {isText && <TextField {...field} id="own-text" />}
        {isChosen && type === 'zone' && <Zones {...field} />}
        {isChosen && input.choices && <Named {...field} choices={input.choices} />}
        {isChosen && input.table && <Meanings table={input.table} onText={onText} />}
        <details>
          <summary>Details</summary>
          <code dir="auto">
            {key}
            {isChosen && text !== '' && `: ${text}`}
          </code>
          {!isText && isChosen && <TextField {...field} id="own-written" label="Written as in the mapping" />}
        </details>
      </span>
    </div>
  );
}

const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The value that stands there as soon as nothing else was chosen. */
function firstText({ type, table }: NonNullable<Card['input']>): string {
  if (type === 'zone') return ownZone();
  return table === undefined ? '' : writeMeanings(table, startingMeanings(table));
}

const TextField = ({ label, text, onText, id }: FieldProps & { readonly id: string }) => (
  <input id={id} type="text" aria-label={label} value={text} onInput={(event) => onText(event.currentTarget.value)} />
);

/** Time zones, that of this computer first, each with the difference of its clock to UTC. */
export function Zones({ label, text, onText }: FieldProps) {
  const own = ownZone();
  const others = Map.groupBy(
    Intl.supportedValuesOf('timeZone').filter((zone) => zone !== own),
    (zone) => zone.split('/')[0]!,
  );
  return (
    <select aria-label={label} value={text} onChange={(event) => onText(event.currentTarget.value)}>
      {text === '' && <option value="">Choose a time zone</option>}
      <optgroup label="This computer">
        <option value={own}>{describeZone(own)}</option>
      </optgroup>
      {[...others].map(([area, zones]) => (
        <optgroup key={area} label={area}>
          {zones.map((zone) => (
            <option key={zone} value={zone}>
              {describeZone(zone)}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

/** `Europe/Berlin: now 14:05`. */
const describeZone = (zone: string): string =>
  `${zone}: now ${new Date().toLocaleTimeString('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' })}`;

/** More names than these have a search of their own. */
const searchedMin = 12;

type Choices = NonNullable<NonNullable<Card['input']>['choices']>;

/** Columns or tables, with samples and how many rows have a value. */
function Named({ label, text, onText, choices }: FieldProps & { readonly choices: Choices }) {
  const [search, setSearch] = useState('');
  const words = search.toLowerCase();
  const found = choices.filter(({ name, holds }) => `${name} ${holds}`.toLowerCase().includes(words));
  return (
    <>
      {choices.length > searchedMin && <Find label="Find by name or sample" value={search} onInput={setSearch} />}
      <span class="named" role="radiogroup" aria-label={label}>
        {found.map(({ name, holds, fits }) => (
          <label key={name}>
            <input
              type="radio"
              name="named"
              checked={writeName(name) === text}
              onChange={() => onText(writeName(name))}
            />
            <span>
              <b dir="auto">{name}</b> <span class="soft">{fits}</span>
              <span class="soft sample" dir="auto">
                {holds}
              </span>
            </span>
          </label>
        ))}
      </span>
    </>
  );
}

/** A name that could be read as something else is quoted. */
const writeName = (name: string): string =>
  /^[\p{L}_][\p{L}\p{N}_. -]*$/u.test(name) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(name)
    ? name
    : JSON.stringify(name);

const startingMeanings = ({ columns }: ValueTable): ChosenMeanings =>
  Object.fromEntries(columns.map(({ name, chosen }) => [name, chosen]));

const writeMeanings = (table: ValueTable, chosen: ChosenMeanings): string =>
  JSON.stringify(valuesSetting(table, chosen));

interface MeaningsProps extends Pick<FieldProps, 'onText'> {
  readonly table: ValueTable;
}

/** Values that are listed at once; the others keep the meaning that they have. */
const listedMax = 50;

/** Each value of a column with its rows, and a list of what it may mean. */
function Meanings({ table, onText }: MeaningsProps) {
  const [listed, setListed] = useState(listedMax);
  const [chosen, setChosen] = useState(() => startingMeanings(table));
  const choose = (column: string, value: string, meaning: string) => {
    const now = { ...chosen, [column]: { ...chosen[column], [value]: meaning } };
    setChosen(now);
    onText(writeMeanings(table, now));
  };
  return (
    <>
      {table.columns.map(({ name, values }) => (
        <table key={name} class="meanings">
          <thead>
            <tr>
              <th scope="col" dir="auto">
                {name}
              </th>
              <th scope="col">Rows</th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            {values.slice(0, listed).map(({ value, word, rows, example }) => (
              <tr key={value}>
                <th scope="row">
                  <bdi>{value === '' ? 'empty' : value}</bdi>
                  {word !== undefined && <b dir="auto"> {word}</b>}
                  {example !== undefined && (
                    <span class="soft sample" dir="auto">
                      {example}
                    </span>
                  )}
                </th>
                <td title={countOf(rows, 'row')}>{rows}</td>
                <td>
                  <select
                    aria-label={`Meaning of ${value === '' ? 'no value' : value} in ${name}`}
                    value={chosen[name]![value]}
                    onChange={(event) => choose(name, value, event.currentTarget.value)}
                  >
                    {table.meanings.map(([meaning, words]) => (
                      <option key={meaning} value={meaning}>
                        {words}
                      </option>
                    ))}
                  </select>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
      {table.columns.some(({ values }) => values.length > listed) && (
        <button type="button" onClick={() => setListed(listed + listedMax)}>
          Show more values
        </button>
      )}
    </>
  );
}
