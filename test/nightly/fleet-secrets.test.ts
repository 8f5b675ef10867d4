import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase, type Query } from '../../src/fleet/database/database.ts';
import { Secret } from '../../src/lib/secret.ts';
import { fakeService, isImport } from '../cli/fake-service.ts';
import { testKey } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';
import { type FleetHere, fleetHere } from '../fleet/fleet-here.ts';
import { programs } from '../fleet/postgres.ts';

const home = temporaryFolder();

/** Names and words of people; no other text of the tests contains them. */
const private_ = {
  text: 'The heron nests behind the quarry',
  name: 'Wilhelmina Quasthoff',
  id: 'w.quasthoff',
  surname: 'Zwiebelfisch',
  email: 'quasthoff@post.example',
  room: 'Perennials',
};
const fileKey = 'refused-key-5d0e8a77c1b9f2';

describe.skipIf(programs === null)('private data of a fleet', () => {
  it('texts, names of people and keys are in no row that was ever in the database and in no name of a copy, also where leases fail', async () => {
    const here = await fleetHere(home.make());
    await here.run('fleet', 'init');
    const database = await openDatabase(new Secret(here.url), { max: 1, application: 'test' });
    onTestFinished(() => database.close());
    await keepHistory(database.query);

    const expected = await submitAll(here);
    const worker = here.worker();
    for (const [unit, words] of Object.entries(expected)) {
      const ends = ['lease ended', 'lease failed', 'its process ended'].map((end) => worker.line(`${unit}: ${end}`));
      expect(await Promise.race(ends), unit).toContain(words);
    }
    const history = (await database.query<{ row: string }>('SELECT row FROM public.history')).map(({ row }) => row);
    worker.kill('SIGTERM');
    const ended = await worker.ended;
    expect(ended.code).toBe(143);

    const files = globSync('**', { cwd: here.files });
    // It does look at what there is: units, leases, failures.
    for (const there of ['acme/whole', 'AUTH_ERR_APIKEY_NOT_FOUND', 'export-unreadable', '"singleton_key"'])
      expect(history.filter((row) => row.includes(there)).length, there).toBeGreaterThan(0);
    expect(files.filter((file) => file.endsWith('.zst')).length).toBeGreaterThan(2);

    const password = new URL(here.url).password;
    const secrets = { ...private_, fileKey, testKey, password };
    for (const [what, secret] of Object.entries(secrets)) {
      expect(secret.length, what).toBeGreaterThan(8);
      const spellings = spellingsOf(secret);
      expect(
        history.filter((row) => spellings.some((spelling) => row.includes(spelling))),
        what,
      ).toEqual([]);
      expect(
        files.filter((file) => spellings.some((spelling) => file.includes(spelling))),
        what,
      ).toEqual([]);
    }
    // Text from an export or a destination is quoted on standard error, for the operator of the worker; keys are
    // nowhere.
    for (const secret of Object.values(secrets)) expect(linesWith(ended.stdout, secret)).toEqual([]);
    for (const secret of [fileKey, testKey, password]) expect(linesWith(ended.stderr, secret)).toEqual([]);
    expect(ended.stderr).toContain(private_.text);
  });
});

/** Units of every kind, and words of the line with which the first lease of each ends. */
async function submitAll({ folder, service, run }: FleetHere): Promise<Readonly<Record<string, string>>> {
  const parrot = await fakeService(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const message = `No ${request.headers.apikey} for ${Buffer.concat(chunks).toString('utf8')}`;
    const answer = isImport(request) ? { error: { code: 'ERR_API_PARROT', message } } : { data: [], meta: {} };
    response
      .writeHead(isImport(request) ? 403 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer));
  });
  const people = [
    person(private_.id, { name: private_.name, email: private_.email } as object),
    person('w.other', { name: private_.name }),
  ];
  const rooms = ['a', 'b', 'c', 'd'].map((room) => `${private_.room} ${room}`);
  const exportOf = (name: string, rooms: readonly string[]) =>
    writeRecords(join(folder, name), [
      ...people,
      ...rooms.map((room) => channel(room)),
      ...rooms.flatMap((room, at) =>
        Array.from({ length: 30 }, (_, index) =>
          says(at * 100 + index, room, private_.id, `${private_.text} ${index}`),
        ),
      ),
    ]);
  const exported = exportOf('chats.ndjson', rooms);
  const others = exportOf(
    'others.ndjson',
    rooms.map((room) => `${room} two`),
  );
  exportOf('refused.ndjson', [`${private_.room} three`]);
  const row = (number: number, author: string) =>
    `${number},${private_.room},${author},2026-03-02T09:0${number}:00Z,${private_.text}`;
  writeFileSync(
    join(folder, 'colliding.csv'),
    `id,room,author,time,text\n${row(1, private_.surname)}\n${row(2, private_.surname.toUpperCase())}\n`,
  );
  writeFileSync(
    join(folder, 'mapping.yaml'),
    'source:\n  messages: { id: id, conversation: room, author: author, time: time, text: text }\n',
  );
  writeFileSync(join(folder, 'refused-key'), fileKey, { mode: 0o600 });
  writeFileSync(join(folder, 'failing.sh'), `echo "${private_.text} by ${private_.name}" >&2; exit 1\n`);
  writeFileSync(
    join(folder, 'jobs.yaml'),
    `fleet: { tenant: birch }
to: ${service.url}
jobs:
  - { name: refused, export: ./refused.ndjson, apiKeyFile: ./refused-key }
  - { name: unreadable, export: { command: [sh, ./failing.sh], format: export.ndjson } }
`,
  );
  const submits = [
    ['submit', exported, '--tenant', 'acme', '--name', 'whole', '--to', service.url],
    ['submit', others, '--tenant', 'acme', '--name', 'others', '--to', service.url],
    ['submit', join(folder, 'colliding.csv'), '--tenant', 'acme', '--mapping', 'mapping.yaml', '--to', service.url],
    ['submit', exported, '--tenant', 'acme', '--name', 'parrot', '--to', parrot.url],
    ['submit', '--config', 'jobs.yaml'],
  ];
  for (const args of submits) expect(await run(...args), args.join(' ')).toMatchObject({ code: 0 });
  return {
    'acme/whole': ', done',
    'acme/others': ', done',
    'acme/parrot': 'stopped: ERR_API_PARROT',
    'acme/colliding': 'stopped: usage',
    'birch/refused': 'stopped: AUTH_ERR_APIKEY_NOT_FOUND',
    'birch/unreadable': 'waiting: export-unreadable',
  };
}

/** From here on every row that is written is kept, also one that is overwritten at once. */
async function keepHistory(query: Query): Promise<void> {
  await query('CREATE TABLE public.history (row text)');
  await query(`CREATE FUNCTION public.keep() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO public.history VALUES (to_jsonb(NEW)::text); RETURN NULL; END $$`);
  const tables = await query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('ferry', 'pgboss') AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
  );
  expect(tables.length).toBeGreaterThan(10);
  for (const { name } of tables)
    await query(`CREATE TRIGGER keep AFTER INSERT OR UPDATE ON ${name} FOR EACH ROW EXECUTE FUNCTION public.keep()`);
}

const spellingsOf = (secret: string): readonly string[] => [
  secret,
  secret.toUpperCase(),
  secret.toLowerCase(),
  encodeURIComponent(secret),
  secret.toLowerCase().replaceAll(' ', '-'),
  Buffer.from(secret).toString('base64').replace(/=*$/, ''),
];

const linesWith = (output: string, secret: string): readonly string[] =>
  output.split('\n').filter((line) => spellingsOf(secret).some((spelling) => line.includes(spelling)));
