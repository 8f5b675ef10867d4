import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { run } from '../../cli/in-process.ts';
import { confirmReading } from '../../scenes/confirm-reading.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { programs, testMariadb } from './mariadb.ts';
import { testDatabase } from './postgres-databases.ts';

const home = temporaryFolder();

const people = `(18446744073709551610, 'Jörg'), (18446744073709551611, 'Änne'), (18446744073709551612, 'Bo')`;
const texts = ['Moin', 'Grüße aus dem Büro', 'Wer kocht?', 'Ich', 'Danke', 'Bis später'];
const rows = (time: (minute: number) => string) =>
  Array.from({ length: 24 }, (_, index) => {
    const [person, room] = [index % 3, 1 + (index % 2)];
    return `(${18446744073709551580n + BigInt(index)}, ${room}, ${18446744073709551610n + BigInt(person)}, '${texts[index % 6]} ${index}', ${time(index)})`;
  }).join();
const minute = (index: number) => String(index).padStart(2, '0');

/** Ids beyond what a number of JavaScript holds, names with umlauts, blanks and quotes, latin1, a zero date, codes that a comment explains, a filled column, parts and a view. */
const mariadb = `
  SET NAMES utf8mb4; SET sql_mode = '';
  CREATE TABLE \`Nutzer\` (\`Nutzer-Nr\` bigint unsigned PRIMARY KEY, \`Anzeigename\` varchar(40) CHARACTER SET latin1, aktiv tinyint(1) NOT NULL DEFAULT 1);
  CREATE TABLE \`Räume\` (\`Raum-Nr\` int unsigned PRIMARY KEY, \`Titel "kurz"\` varchar(40));
  CREATE TABLE \`Chat-Nachrichten\` (
    \`Nr\` bigint unsigned PRIMARY KEY, \`Raum\` int unsigned NOT NULL, \`Absender\` bigint unsigned NOT NULL, \`Inhalt\` text CHARACTER SET latin1,
    Stufe tinyint NOT NULL DEFAULT 0 COMMENT '0: für alle, 1: interne Notiz', am datetime NULL, \`geändert\` datetime NOT NULL DEFAULT '0000-00-00', \`Länge\` int AS (char_length(\`Inhalt\`))
  ) PARTITION BY RANGE (\`Nr\`) (PARTITION a VALUES LESS THAN (18446744073709551590), PARTITION b VALUES LESS THAN MAXVALUE);
  CREATE VIEW \`alle Nachrichten\` AS SELECT * FROM \`Chat-Nachrichten\`;
  INSERT INTO \`Nutzer\` (\`Nutzer-Nr\`, \`Anzeigename\`) VALUES ${people};
  INSERT INTO \`Räume\` VALUES (1, 'Küche'), (2, 'Büro');
  INSERT INTO \`Chat-Nachrichten\` (\`Nr\`, \`Raum\`, \`Absender\`, \`Inhalt\`, am) VALUES ${rows((index) => (index === 7 ? 'NULL' : `'2026-03-01 08:${minute(index)}:00'`))};
  UPDATE \`Chat-Nachrichten\` SET Stufe = 1 WHERE \`Nr\` = 18446744073709551590;`;

/** The same outside the search path, with declared parts, a domain and an enum. */
const postgres = `
  CREATE SCHEMA "Chat App"; SET search_path = "Chat App";
  CREATE DOMAIN "Kennung" AS numeric(20); CREATE TYPE "Art" AS ENUM ('Text', 'Beitritt');
  CREATE TABLE "Nutzer" ("Nutzer-Nr" "Kennung" PRIMARY KEY, "Anzeigename" varchar(40));
  CREATE TABLE "Räume" ("Raum-Nr" int PRIMARY KEY, "Titel ""kurz""" varchar(40));
  CREATE TABLE "Chat-Nachrichten" (
    "Nr" "Kennung", "Raum" int NOT NULL REFERENCES "Räume", "Absender" "Kennung" NOT NULL REFERENCES "Nutzer", "Inhalt" text, am timestamptz,
    "Stufe" smallint NOT NULL DEFAULT 0, "Länge" int GENERATED ALWAYS AS (length("Inhalt")) STORED, "Art" "Art" NOT NULL DEFAULT 'Text', PRIMARY KEY ("Nr")
  ) PARTITION BY RANGE ("Nr");
  CREATE TABLE "Teil 1" PARTITION OF "Chat-Nachrichten" FOR VALUES FROM (MINVALUE) TO (18446744073709551590);
  CREATE TABLE "Teil 2" PARTITION OF "Chat-Nachrichten" DEFAULT;
  CREATE VIEW "alle Nachrichten" AS SELECT * FROM "Chat-Nachrichten";
  INSERT INTO "Nutzer" VALUES ${people};
  INSERT INTO "Räume" VALUES (1, 'Küche'), (2, 'Büro');
  INSERT INTO "Chat-Nachrichten" ("Nr", "Raum", "Absender", "Inhalt", am) VALUES ${rows((index) => (index === 7 ? 'NULL' : `'2026-03-01 08:${minute(index)}:00+00'`))};
  COMMENT ON COLUMN "Chat-Nachrichten"."Stufe" IS '0: für alle, 1: interne Notiz';
  UPDATE "Chat-Nachrichten" SET "Stufe" = 1 WHERE "Nr" = 18446744073709551590;`;

const servers: readonly (readonly [system: string, isThere: boolean, schema: string, make: () => Promise<string>])[] = [
  [
    'MariaDB',
    programs !== null,
    '',
    async () => {
      const { name, server } = await testMariadb(mariadb);
      return `mysql://root@localhost/${name}?socket=${server.socket}`;
    },
  ],
  [
    'PostgreSQL',
    true,
    'Chat App.',
    async () => {
      const url = new URL((await testDatabase(postgres)).address);
      vi.stubEnv('PGPASSWORD', url.password);
      url.password = '';
      return url.href;
    },
  ],
];

/** Answers of its owner: every name is one that no list has. */
const answers: Readonly<Record<string, string>> = {
  'source.zone': 'UTC',
  'source.messages.time.from': 'am',
  'source.messages.author': 'Absender',
  'source.messages.conversation': 'Raum',
  'source.messages.only': '{ Stufe: ["0", ""] }',
  'source.tables.users': '{ table: "SCHEMANutzer" }',
  'source.users.name': 'Anzeigename',
};

const known = [
  'source.tables.conversations={ table: "SCHEMARäume" }',
  'source.conversations.name=Titel "kurz"',
  'source.conversations.type={ constant: private }',
];

interface Open {
  readonly open: readonly {
    readonly id: string;
    readonly options: readonly { readonly effect: { readonly sets?: Record<string, string> } }[];
  }[];
}

describe.each(servers)('a database of %s with the quirks of its server', (_, isThere, schema, make) => {
  it.skipIf(!isThere)(
    'is asked about in its own names, and arrives as its rows say',
    { timeout: 120_000 },
    async () => {
      const folder = home.make();
      const address = await make();
      const given = known.flatMap((text) => ['--set', text.replace('SCHEMA', schema)]);
      for (;;) {
        const { stdout, stderr } = await run(['init', address, '--yes', '--force', '--json', ...given], { folder });
        expect(stdout, stderr).not.toBe('');
        const { open } = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as Open;
        const next = open.find(
          ({ id }) => answers[id] !== undefined && !given.some((text) => text.startsWith(`${id}=`)),
        );
        if (!next) break;
        given.push('--set', `${next.id}=${answers[next.id]!.replace('SCHEMA', schema)}`);
      }
      await confirmReading(folder, address);
      const db = new Database(join(folder, 'chatferry.db'), { readonly: true });
      const planned = db
        .prepare(`SELECT m.origin_id AS id, c.record ->> '$.name' AS room, p.name FROM message m JOIN conversation c ON c.id = m.conversation
      JOIN person p ON p.id = m.sender WHERE m.verdict = 'planned' ORDER BY m.origin_id`)
        .all();
      db.close();
      expect(planned.slice(0, 2)).toEqual([
        { id: '18446744073709551580', room: 'Küche', name: 'Jörg' },
        { id: '18446744073709551581', room: 'Büro', name: 'Änne' },
      ]);
      expect(planned).toHaveLength(22);
    },
  );
});
