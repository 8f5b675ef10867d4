import { isMediaType } from '../../../../lib/files/file-types.ts';
import { valueText } from '../../bind/value.ts';
import { isFileAddress, isFilePath } from '../../file-values.ts';
import { aliases, columnsNamed } from '../aliases.ts';
import { cellKeys, lastStep } from '../graph/cell-keys.ts';
import { type ColumnChoice, type ColumnProfile, count, evidence, mostly } from '../columns.ts';

const names = aliases.message;
const key = 'messages.attachments';

/** Words in names of columns of files that have no name of `aliases`: `MediaUrl0`, `voice_note`. */
const named =
  /attach|media|file|image|photo|picture|video|audio|voice|sticker|document|upload|anhang|anlage|datei|bild|foto/i;
/** Names of pictures that are no part of what was written, and of what describes a file. */
const otherwise =
  /avatar|profile|icon|logo|thumb|badge|emoji|type|mime|size|count|num|name|status|hash|caption|width|height|id$/i;

/** Columns that hold files: addresses, paths, lists of them. Those that may be something else are asked about. */
export function proposeFiles(columns: ColumnChoice): void {
  if (columns.draft.at(key) !== undefined) return;
  const found = certain(columns);
  const rules: Record<string, unknown>[] = [];
  for (const [index, { name }] of found.entries()) {
    columns.use(name);
    rules.push({ url: name, ...(index === 0 && partsBeside(columns)) });
  }
  rules.push(...objects(columns));
  const [list] = columns.candidates(names.attachmentList);
  if (list) {
    const field = (keys: string) => new RegExp(`"(${keys})"\\s*:`).exec(list.texts.join('\n'))?.[1];
    const [address, name] = [field('url|link|href|src|file_url'), field('name|filename|title')];
    const [type, size] = [
      field('mime_?type|content_?type|mime|media_?type'),
      field('size|byte_?size|file_?size|bytes'),
    ];
    rules.push({
      list: list.name,
      ...(address && { url: address }),
      ...(name && { name }),
      ...(type && { type }),
      ...(size && { size }),
    });
  }
  const because = rules
    .map(({ list: one, url, name }) => evidence(columns.profile(String(one ?? url ?? name))))
    .join('; ');
  if (rules.length > 0) columns.draft.choose(key, { value: rules, because });
  else ask(columns);
}

/** Keys of a cell that holds one file as a JSON object, the most telling first. */
const inObject = {
  url: 'url fileurl link href src',
  name: 'oldname originalname originalfilename filename name title',
  type: 'mimetype contenttype mediatype mime',
  size: 'filesize bytesize size bytes',
} as const;

/** One file in a JSON object: `{"new_name": "0c1b.jpg", "old_name": "boat.jpg"}`. */
function objects(columns: ColumnChoice): readonly Readonly<Record<string, string>>[] {
  return columns.candidates(names.attachmentUrl).flatMap((profile) => {
    const paths = new Map(cellKeys(profile).map((path) => [lastStep(path), path]));
    const parts = Object.entries(inObject).flatMap(([part, list]) => {
      const [key] = columnsNamed([...paths.keys()], list);
      return key === undefined ? [] : [[part, paths.get(key)!] as const];
    });
    const rule = Object.fromEntries(parts);
    if (rule.url === undefined && rule.name === undefined) return [];
    columns.use(profile.name);
    return [rule];
  });
}

function partsBeside(columns: ColumnChoice) {
  const part = (list: string) => columns.candidates(list)[0]?.name;
  const typed = columns.unused.find((one) => mostly(one, isMediaType))?.name;
  const [name, size] = [part(names.attachmentName), part(names.attachmentSize)];
  const type = typed ?? part(names.attachmentType);
  return { ...(name && { name }), ...(type && { type }), ...(size && { size }) };
}

/** By name and value, else by values alone. One behind another only where it has files that those before lack. */
function certain(columns: ColumnChoice): readonly ColumnProfile[] {
  const isPath = (text: string) => /^(?:https?:|\/|[\w-]+\/)\S+$/.test(text) || isFilePath(text);
  const isFile = (profile: ColumnProfile) => mostly(profile, isPath) && !isOfAuthors(columns, profile);
  const byAlias = columns.candidates(names.attachmentUrl, isFile);
  const others = unusedProfiles(columns).filter(({ name }) => !byAlias.some((profile) => profile.name === name));
  const byName = others.filter((profile) => named.test(profile.name) && isFile(profile));
  const byValue = others.filter(
    (profile) =>
      !byName.includes(profile) &&
      mostly(profile, isFileAddress) &&
      isInBlankRows(columns, profile) &&
      !isOfAuthors(columns, profile),
  );
  const chosen: ColumnProfile[] = [];
  const covered = new Set<number>();
  for (const profile of [...byAlias, ...byName, ...byValue]) {
    const rows = rowsWith(columns, profile);
    if (rows.some((row) => !covered.has(row)) || isNextOf(profile, chosen.at(-1))) chosen.push(profile);
    for (const row of rows) covered.add(row);
  }
  return chosen;
}

/**
 * Whether a column has one value for each author, in all of several rows: then it is that person's picture. A file of a message is
 * another in another message.
 */
function isOfAuthors({ rows, draft, names: all }: ColumnChoice, { name }: ColumnProfile): boolean {
  const said = draft.at('messages.author') ?? draft.at('messages.authorName');
  const authors = typeof said === 'string' ? [said] : columnsNamed(all, names.author);
  return authors.some((author) => {
    if (author === name) return false;
    const values = new Map<string, Set<string>>();
    const repeated = new Set<string>();
    for (const row of rows) {
      const who = valueText(row.get(author));
      if (who === undefined) continue;
      const before = values.get(who) ?? new Set();
      if (before.size > 0) repeated.add(who);
      values.set(who, before.add(valueText(row.get(name)) ?? ''));
    }
    const isOne = [...values.values()].every(({ size }) => size === 1);
    return isOne && [...repeated].some((who) => !values.get(who)!.has(''));
  });
}

/** `MediaUrl1` behind `MediaUrl0`. */
const isNextOf = ({ name }: ColumnProfile, before: ColumnProfile | undefined): boolean =>
  /\d$/.test(name) && before !== undefined && /\d$/.test(before.name) && stem(name) === stem(before.name);

const stem = (name: string) => name.replace(/(?<!\d)\d+$/, '');

const unusedProfiles = (columns: ColumnChoice): readonly ColumnProfile[] =>
  columns.unused.filter(({ name, texts }) => !otherwise.test(name) && texts.length > 0);

/** Paths, or addresses of any kind, in rows that say nothing else. */
function ask(columns: ColumnChoice): void {
  const isLink = (text: string) => /^https?:\/\/\S+$/.test(text) || isFilePath(text);
  const found = unusedProfiles(columns).filter((profile) => mostly(profile, isLink) && isInBlankRows(columns, profile));
  const [best, ...others] = found;
  if (!best) return;
  const rule = ({ name }: ColumnProfile) => [{ url: name }];
  columns.draft.choose(key, {
    value: rule(best),
    because: `${evidence(best)}, ${count(blankRowsWith(columns, best))} of them no text`,
    alternatives: [
      ...others.map((profile) => ({ value: rule(profile), because: evidence(profile) })),
      { value: [], because: 'it is no file: leave it out' },
    ],
  });
}

const isInBlankRows = (columns: ColumnChoice, profile: ColumnProfile) => blankRowsWith(columns, profile) > 0;

function blankRowsWith(columns: ColumnChoice, profile: ColumnProfile): number {
  const column = columns.draft.columnAt('messages.text');
  if (column === undefined) return 0;
  const isBlank = (row: number) => (valueText(columns.rows[row]!.get(column)) ?? '').trim() === '';
  return rowsWith(columns, profile).filter(isBlank).length;
}

/** Numbers of the rows that have a value. */
const rowsWith = ({ rows, nulls }: ColumnChoice, { name }: ColumnProfile): readonly number[] =>
  [...rows.keys()].filter((row) => {
    const text = valueText(rows[row]!.get(name)) ?? '';
    return text !== '' && !nulls.includes(text);
  });
