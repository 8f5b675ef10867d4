import { z } from 'zod';
import { parsePointer } from '../../io/json/json-pointer.ts';
import { isLoopback } from '../../lib/loopback.ts';
import { namesIn } from '../template.ts';

const text = z.string({ error: 'expected text' }).min(1, { error: 'expected text, found nothing' });
const named = text.regex(/^[a-z][A-Za-z0-9]*$/, { error: 'expected a name of letters and digits, such as channelId' });
const pointer = text
  .or(z.literal(''))
  .refine((value) => parsePointer(value) !== undefined, { error: 'expected a JSON pointer, such as /meta/next' })
  .describe('JSON pointer, such as /meta/next_page_url; "" is the whole answer');
const website = text.refine((value) => URL.canParse(value) && new URL(value).protocol === 'https:', {
  error: 'expected an https address',
});
const path = text.regex(/^\//, { error: 'expected a path that begins with /' });
const values = z.record(text, z.string().or(z.number()).or(z.boolean()).transform(String));
const pattern = text.refine(isPattern, { error: 'expected a regular expression' });
/** A text, or a list or object of such, in which texts are templates. */
const body: z.ZodType<Body> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(body), z.record(z.string(), body)]),
);

export type Body = string | number | boolean | null | readonly Body[] | { readonly [key: string]: Body };

const formats = ['seconds', 'milliseconds', 'iso', 'date', 'pubnub'] as const;

const files = z.strictObject({
  in: z.array(pointer).min(1).describe('Where a row has its files; a part * takes every value: /attachments/*'),
  id: pointer.optional().describe('Where a file has the id by which the source knows it, if that is not its address'),
  url: pointer.optional().describe('Where a file has its address'),
  match: pattern
    .optional()
    .describe('For texts that name files: a pattern of their addresses, by which the source knows them'),
  name: pointer.optional().describe('Where a file has its name'),
  get: path.optional().describe('Path of the provider that gives the file itself; {file} is its id'),
  ask: z
    .strictObject({
      get: text.describe('Path or address that gives the address of the file; {file} is its id'),
      url: pointer,
    })
    .optional()
    .describe('A request that gives the address, for files that have none'),
});

/** How the place of the next page is found. */
const next = z.union(
  [
    z.strictObject({
      link: pointer.describe('Where the answer has the address of the next page'),
      take: text
        .optional()
        .describe('Parameter of that address that is sent instead of it, if providers give an address of another host'),
      moves: z
        .boolean()
        .default(false)
        .describe(
          'Rows that change move to the front of the list: it is read a second time, until a page is as it was (default false)',
        ),
    }),
    z.strictObject({
      cursor: pointer.describe('Where the answer has the value that asks for the next page'),
      as: text.describe('Parameter, or pointer into the body, that takes it'),
      alone: z.boolean().default(false).describe('The next request has the cursor and nothing else (default false)'),
    }),
    z.strictObject({
      row: z.enum(['first', 'last']).describe('Row of a page whose value asks for the next page'),
      field: pointer.describe('Where that row has the value'),
      as: text.describe('Parameter, or pointer into the body, that takes it'),
      most: z
        .int()
        .positive()
        .optional()
        .describe('Rows of a page at most: if as many have the same value, what follows them cannot be asked for'),
    }),
    z.strictObject({
      page: text.describe('Parameter, or {page} in the path, that takes the number of the page'),
      from: z.int().min(0).max(1).default(1).describe('Number of the first page (default 1)'),
    }),
    z.strictObject({ offset: text.describe('Parameter that takes how many rows were given so far') }),
  ],
  { error: 'expected one of link, cursor, row, page, offset' },
);

const since = z.union(
  [
    z.strictObject({
      as: text.describe('Parameter, or pointer into the body, that takes the time'),
      format: z.enum(formats),
      until: text.optional().describe('Parameter that takes the end of the time, for --until'),
      of: pointer
        .optional()
        .describe(
          'Time of a row, if the provider does not say whether the bounds count: a second more is asked for on both sides, and rows outside are passed over',
        ),
    }),
    z.strictObject({
      skip: pointer
        .or(z.array(pointer).min(1))
        .describe(
          'Times of a row, the latest of which counts: an older row is passed over, and so is what belongs to it',
        ),
      format: z.enum(formats),
    }),
    z.strictObject({
      stop: pointer.describe('Time of a row, where the newest row comes first: an older row ends the list'),
      format: z.enum(formats),
      query: values.default({}).describe('Parameters that bring the newest row first'),
    }),
  ],
  { error: 'expected one of as, skip, stop, and a format' },
);

const scalar = z.union([z.string(), z.number(), z.boolean()]);

const oneOrMore = z.union([scalar, z.array(scalar).min(1)]);

const mark = z
  .strictObject({
    field: pointer,
    is: oneOrMore
      .optional()
      .describe('Value that says so, or several of which one does (default: anything but null, false, 0, "")'),
    not: scalar.optional().describe('Value that does not say so; any other does'),
  })
  .refine(({ is, not }) => is === undefined || not === undefined, { error: 'expected either is or not' });

const step = z
  .strictObject({
    name: named,
    each: named
      .or(z.array(named).min(1))
      .optional()
      .describe('Earlier step, or several: this one asks once for each of their rows'),
    when: mark.optional().describe('Only for rows of that step for which this holds'),
    once: named.optional().describe('Value of those rows: this one asks once for each that is different'),
    get: path.optional().describe('Path of the request, behind the address'),
    follow: pointer
      .optional()
      .describe('Where a row of that step has the address of the first page, if `get` is not it'),
    post: path.optional().describe('Path of a search that changes nothing; `documented` says where that is written'),
    documented: website.optional().describe('Page of the provider that describes the search'),
    query: values.default({}),
    body: body.optional(),
    rows: pointer.describe(
      'Where the answer has its list of rows; an object is one row, and /* behind it takes its values, or the rows of lists in it',
    ),
    optional: z.boolean().default(false).describe('An answer without that list has no rows (default false)'),
    id: pointer.or(z.array(pointer).min(1)).describe('Where a row has its id, unique in its list'),
    unless: mark
      .optional()
      .describe(
        'Rows for which this holds are passed over, such as { field: /ts, is: "{ts}" } for one that another list has',
      ),
    values: z.record(named, pointer).default({}).describe('Values of a row that later steps use: { sid: /sid }'),
    next: next.optional().describe('How the next page is asked for (default: there is none)'),
    only: text.optional().describe('Parameter that takes the id of a conversation that --only names'),
    limit: z
      .strictObject({ as: text.describe('Parameter that takes the rows of a page'), most: z.int().min(2) })
      .optional()
      .describe('Rows of a page, half as many once an answer is too long for this machine; --page-size asks for fewer'),
    size: z.int().positive().optional().describe('Rows of a full page: a shorter one is the last'),
    more: pointer.optional().describe('Where the answer says that more follows'),
    done: pointer.optional().describe('Where the answer says that nothing follows'),
    partial: z.int().optional().describe('Status of an answer behind which more follows, if others end the list: 206'),
    total: pointer.optional().describe('Where the answer says how many rows there are altogether'),
    limited: pointer.optional().describe('Where the last answer says that the provider holds rows back: a gap'),
    since: since.optional(),
    adds: values
      .describe(
        'Fields for each row that has none of the name: { channel_url: "{channel}" } where an answer does not name its list',
      )
      .default({}),
    lines: text.optional().describe('File that takes the rows, one a line'),
    pages: text.optional().describe('File for each answer as it came; {page} is its number'),
    marks: z
      .strictObject({ edited: mark.optional(), removed: mark.optional(), private: mark.optional() })
      .default({})
      .describe('Marks of an edit, a removal, a note that customers must not see: counted in the manifest'),
    files: files.optional(),
    messages: z.boolean().default(false).describe('Whether the rows are messages, for the counts'),
  })
  .refine(({ get, post }) => (get === undefined) !== (post === undefined), { error: 'expected either get or post' })
  .refine(({ post, documented }) => (post === undefined) === (documented === undefined), {
    error: 'post needs `documented`: the page that says that it only searches',
  })
  .refine(({ lines, pages }) => lines === undefined || pages === undefined, { error: 'expected lines or pages' })
  .refine(({ once, each }) => once === undefined || each !== undefined, { error: 'once needs each' });

/** One operation of a provider that lists something. */
export type Step = z.output<typeof step>;

/** Steps whose rows a step asks for; none for one that begins by itself. */
export const parentsOf = ({ each = [] }: Step): readonly string[] => [each].flat();

const key = z.strictObject({
  what: text.describe('What kind of key, and where it is made'),
});

const setting = z.strictObject({
  what: text,
  default: z.string().optional(),
  pattern: text.default('^[A-Za-z0-9._@+-]+$').describe('What a value looks like, as a regular expression'),
});

export const recipeSchema = z
  .strictObject({
    title: text.describe('Name of the provider'),
    source: text.describe('Source that reads what is written'),
    version: z.int().positive(),
    unverified: text.optional().describe('What is not yet tried; shown at every run'),
    facts: z.array(website).min(1).describe('Pages from which the facts of this file are'),
    key,
    settings: z.record(named, setting).default({}),
    address: text.describe('Base address, with {settings} in it'),
    hosts: z.array(text).default([]).describe('Other hosts that may get the key, for links and files'),
    auth: z
      .union([
        z.strictObject({ basic: z.tuple([text, text]) }),
        z.strictObject({ headers: values }),
        z.strictObject({ query: values }),
      ])
      .describe('Where {key} goes'),
    workspace: named
      .optional()
      .describe('Setting with an address whose host keeps messages of several installations apart'),
    headers: values.default({}).describe('Headers of each request, with {settings} in them'),
    rate: z.strictObject({
      perMinute: z.int().positive().optional().describe('Requests per minute (default: what the provider says)'),
      atOnce: z.int().min(1).max(16).default(4).describe('Requests at the same time (default 4)'),
      wait: text.optional().describe('Header that says how many seconds to wait after 429, besides Retry-After'),
      remaining: text.optional(),
      reset: text
        .optional()
        .describe('Header with the seconds until, or the Unix time at which, the limit starts again'),
    }),
    refusal: z
      .strictObject({
        unless: pointer.describe('Must be true in each answer'),
        code: pointer.describe('Where the answer says why not'),
        stop: z.array(text).describe('Codes after which no other request can succeed'),
        retry: z.array(text).default([]).describe('Codes of a failure that passes'),
      })
      .optional()
      .describe('For providers that answer 200, or 400, to a request that failed'),
    scopes: text.optional().describe('Header of an answer that lists what the key may do'),
    steps: z.array(step).min(1),
  })
  .superRefine((recipe, context) => {
    for (const { path: at, message } of findFaults(recipe)) context.addIssue({ code: 'custom', path: at, message });
  });

/** How the history of one provider is asked for: data, checked. */
export type Recipe = z.output<typeof recipeSchema>;

interface Fault {
  readonly path: PropertyKey[];
  readonly message: string;
}

function* findFaults({
  steps,
  settings,
  address,
  headers,
  workspace,
}: z.output<typeof recipeSchema>): Generator<Fault> {
  const known = new Set(Object.keys(settings));
  for (const name of namesIn(address)) if (!known.has(name)) yield unknown(['address'], name);
  for (const name of namesIn(JSON.stringify(headers))) if (!known.has(name)) yield unknown(['headers'], name);
  if (workspace !== undefined && !known.has(workspace)) yield unknown(['workspace'], workspace);
  if (!isSafe(address))
    yield { path: ['address'], message: 'expected an https address; http is for this machine only' };
  const seen = new Map<string, ReadonlySet<string>>();
  for (const [index, one] of steps.entries()) {
    const at: PropertyKey[] = ['steps', index];
    const parents = parentsOf(one);
    for (const parent of parents)
      if (!seen.has(parent)) yield { path: [...at, 'each'], message: `no step before this one is called "${parent}"` };
    // The values that it uses must be there whichever of them it follows.
    const above = parents
      .map((parent) => seen.get(parent) ?? known)
      .reduce<ReadonlySet<string> | undefined>((all, names) => all?.intersection(names) ?? names, undefined);
    if (seen.has(one.name)) yield { path: [...at, 'name'], message: `two steps are called "${one.name}"` };
    if (one.once !== undefined && above?.has(one.once) === false) yield unknown([...at, 'once'], one.once);
    seen.set(one.name, new Set([...(above ?? known), ...Object.keys(one.values)]));
    const usable = new Set([...(above ?? known), 'page']);
    const templates = { get: one.get, post: one.post, lines: one.lines, pages: one.pages, rows: one.rows };
    for (const [name, template] of Object.entries(templates))
      for (const used of namesIn(template ?? '')) if (!usable.has(used)) yield unknown([...at, name], used);
    for (const used of namesIn(JSON.stringify([one.query, one.adds, one.body ?? null, one.unless ?? null])))
      if (!usable.has(used)) yield unknown([...at, 'query'], used);
    if (one.pages !== undefined && one.next !== undefined && !namesIn(one.pages).includes('page'))
      yield { path: [...at, 'pages'], message: 'expected {page} in it: each answer is a file of its own' };
  }
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}

const unknown = (path: PropertyKey[], name: string): Fault => ({
  path,
  message: `{${name}} is neither a setting nor a value of the step named by "each"`,
});

function isSafe(address: string): boolean {
  const plain = address.replaceAll(/\{[^}]*\}/g, 'x');
  if (!URL.canParse(plain)) return /^\{[A-Za-z0-9]+\}/.test(address);
  const { protocol, hostname } = new URL(plain);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
