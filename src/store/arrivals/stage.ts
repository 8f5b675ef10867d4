import type { Database } from 'better-sqlite3';
import {
  type ArrivalKind,
  type ArrivalRules,
  type FormerWay,
  leftOutByMapping,
  type ReadArrivals,
} from '../../model/arrival.ts';
import { listsNobody, mayBeMember } from '../base/member-lists.ts';
import { collectFormer, describeFormer, skipFormer, takeFromJoining } from './former.ts';
import { wholePayload } from '../base/packed-payload.ts';

const isLeftOut = {
  guests: `coalesce(p.record ->> '$.role', '') IN ('guest', 'single-conversation-guest')`,
  deleted: `coalesce(p.record ->> '$.isDeleted', 0)`,
};

/** Why the writers of groups without a list are no members. */
const whyUnlisted: Readonly<Record<ArrivalRules['unlisted'], string>> = {
  ask: `'no list of members, and not decided'`,
  writers: 'NULL',
  none: `'${leftOutByMapping}'`,
};

/**
 * Groups of which something is planned, with the time at which they begin, in Unix seconds: a membership that is older is refused, and a
 * group without a time would begin now.
 */
const collectGroups = ({ unlisted }: ArrivalRules) => `
  DROP TABLE IF EXISTS temp.arriving_group;
  CREATE TEMP TABLE arriving_group (conversation INTEGER PRIMARY KEY, created INTEGER NOT NULL, first INTEGER NOT NULL);
  INSERT INTO temp.arriving_group
    SELECT c.id, coalesce(c.details ->> '$.createdAt', f.first), f.first
    FROM (SELECT conversation, min(sent_at) / 1000 AS first FROM message WHERE verdict = 'planned' AND vanished = 0 GROUP BY conversation) f
    JOIN conversation c ON c.id = f.conversation WHERE c.receiver_type = 'group';
  DROP TABLE IF EXISTS temp.listed;
  CREATE TEMP TABLE listed (conversation INTEGER, source_id TEXT, scope TEXT, joined INTEGER, is_banned INTEGER, outside TEXT,
    PRIMARY KEY (conversation, source_id)) WITHOUT ROWID;
  INSERT OR IGNORE INTO temp.listed
    SELECT c.id, m.value ->> '$.user', m.value ->> '$.scope', m.value ->> '$.joinedAtMs', coalesce(m.value ->> '$.isBanned', 0),
      iif(m.value ->> '$.leftAtMs' IS NULL, NULL, 'left the group')
    FROM conversation c, json_each(c.record, '$.memberships') m WHERE c.receiver_type = 'group';
  INSERT OR IGNORE INTO temp.listed
    SELECT c.id, m.value, NULL, NULL, 0, NULL FROM conversation c, json_each(c.record, '$.members') m WHERE c.receiver_type = 'group';
  INSERT OR IGNORE INTO temp.listed
    SELECT c.id, p.source_id, NULL, NULL, 0, iif(${listsNobody}, iif(${mayBeMember}, ${whyUnlisted[unlisted]}, 'account is deleted'), 'wrote in the group, and is not in its list')
    FROM temp.arriving_group g JOIN conversation c ON c.id = g.conversation JOIN temp.writer w ON w.conversation = c.id
    JOIN person p ON p.id = w.sender WHERE p.source_id <> 'unknown'`;

const collectMembers = (leftOut: string) => `
  DROP TABLE IF EXISTS temp.joining;
  CREATE TEMP TABLE joining (conversation INTEGER, person INTEGER, scope TEXT, joined INTEGER, is_banned INTEGER,
    PRIMARY KEY (conversation, person)) WITHOUT ROWID;
  INSERT OR IGNORE INTO temp.joining
    SELECT g.conversation, p.id, l.scope, l.joined, l.is_banned FROM temp.arriving_group g
    JOIN temp.listed l ON l.conversation = g.conversation JOIN person p ON p.source_id = l.source_id
    WHERE l.outside IS NULL AND NOT (${leftOut})`;

const collectPeople = (leftOut: string, everyone: boolean) => `
  DROP TABLE IF EXISTS temp.coming;
  CREATE TEMP TABLE coming (person INTEGER PRIMARY KEY);
  INSERT OR IGNORE INTO temp.coming SELECT sender FROM temp.writer;
  INSERT OR IGNORE INTO temp.coming SELECT p.value FROM conversation c, json_each(json_array(c.person_a, c.person_b)) p
    WHERE c.receiver_type = 'user' AND p.value IS NOT NULL AND c.id IN (SELECT conversation FROM temp.writer);
  -- A ban alone brings no one who was never there.
  INSERT OR IGNORE INTO temp.coming SELECT person FROM temp.joining WHERE is_banned = 0 OR joined IS NOT NULL;
  INSERT OR IGNORE INTO temp.coming SELECT p.id FROM temp.arriving_group g JOIN conversation c ON c.id = g.conversation
    JOIN person p ON p.uid = c.details ->> '$.owner';
  INSERT OR IGNORE INTO temp.coming SELECT p.id FROM message m, json_each(${wholePayload('m')}, '$.data.metadata.chatferry.mentions') u
    JOIN person p ON p.uid = u.value WHERE m.verdict = 'planned' AND m.vanished = 0 AND m.facts ->> '$.mentions' > 0 AND m.payload IS NOT NULL;
  ${everyone ? `INSERT OR IGNORE INTO temp.coming SELECT p.id FROM person p WHERE p.is_placeholder = 0 AND NOT (${leftOut});` : ''}
  DELETE FROM temp.joining WHERE is_banned = 1 AND person NOT IN (SELECT person FROM temp.coming)`;

const upsert = `ON CONFLICT (kind, conversation, person) DO UPDATE SET payload = excluded.payload, is_assumed = excluded.is_assumed,
  is_wanted = excluded.is_wanted, asked = excluded.asked, leaves = excluded.leaves`;

/** The details that travel with a message, and those for which only an import of people has a field. A patch leaves out what is null. */
const stagePeople = `INSERT INTO arrival (kind, conversation, person, payload, is_assumed)
  SELECT 'people', 0, p.id, iif(@areDeletedNameless AND coalesce(p.record ->> '$.isDeleted', 0), p.details, json_patch(p.details, json_object(
      'link', p.record ->> '$.link', 'tags', json(p.record -> '$.tags'), 'role', iif(coalesce(p.record ->> '$.isBot', 0), @botRole, NULL),
      'metadata', json(nullif(json_patch(coalesce(p.details -> '$.metadata', '{}'), json_patch(
        iif(@emailAs IS NULL, '{}', json_object(@emailAs, p.record ->> '$.email')), iif(@phoneAs IS NULL, '{}', json_object(@phoneAs, p.record ->> '$.phone')))), '{}'))))),
    0 FROM temp.coming n JOIN person p ON p.id = n.person WHERE true ${upsert}`;

const stageGroups = `INSERT INTO arrival (kind, conversation, person, payload, is_assumed)
  SELECT 'groups', c.id, 0, json_patch(c.details, json_object('createdAt', g.created, 'tags', json(c.record -> '$.tags'))), 0
  FROM temp.arriving_group g JOIN conversation c ON c.id = g.conversation WHERE true ${upsert}`;

const stageMembers = (now: number) => `INSERT INTO arrival (kind, conversation, person, payload, is_assumed)
  SELECT 'members', j.conversation, j.person, json_patch(json_object('memberId', c.guid || '_member_' || p.uid, 'guid', c.guid, 'uid', p.uid,
      'joinedAt', min(max(coalesce(j.joined / 1000, g.first), g.created), ${now})),
      json_object('scope', iif(c.details ->> '$.owner' = p.uid, 'admin', j.scope), 'isBanned', iif(j.is_banned, json('true'), NULL))), j.joined IS NULL
  FROM temp.joining j JOIN temp.arriving_group g ON g.conversation = j.conversation JOIN conversation c ON c.id = j.conversation
  JOIN person p ON p.id = j.person WHERE true ${upsert}`;

const stageFormer = (
  now: number,
  way: FormerWay,
) => `INSERT INTO arrival (kind, conversation, person, payload, is_assumed, is_wanted, asked, leaves)
  SELECT 'members', f.conversation, f.person, json_object('memberId', c.guid || '_member_' || p.uid, 'guid', c.guid, 'uid', p.uid,
      'joinedAt', min(max(coalesce(f.joined / 1000, f.first), g.created), ${now}), 'scope', 'participant'), f.joined IS NULL, ${way === 'join' ? '1, 0, 1' : '0, iif(f.is_known, 1, 2), 0'}
  FROM temp.former f JOIN temp.arriving_group g ON g.conversation = f.conversation JOIN conversation c ON c.id = f.conversation
  JOIN person p ON p.id = f.person WHERE true ${way === 'join' ? upsert : 'ON CONFLICT DO UPDATE SET asked = excluded.asked'}`;

const dropUnwanted = `DELETE FROM arrival_delivery WHERE state = 'pending' AND arrival IN (SELECT id FROM arrival WHERE is_wanted = 0);
  DELETE FROM arrival WHERE is_wanted = 0 AND asked = 0 AND NOT EXISTS (
    SELECT 1 FROM destination t CROSS JOIN arrival_delivery v ON v.destination = t.id AND v.arrival = arrival.id)`;

/** See `Arrivals.stage`. All of it happens in SQLite: a directory of a million people needs no memory here. */
export function stageArrivals(
  db: Database,
  rules: ArrivalRules | undefined,
): Readonly<Record<ArrivalKind, ReadArrivals>> | undefined {
  db.exec('UPDATE arrival SET is_wanted = 0, asked = 0 WHERE is_wanted = 1 OR asked > 0');
  if (!rules) {
    db.exec(dropUnwanted);
    return undefined;
  }
  const leftOut = reasonsToStay(rules);
  for (const step of [collectGroups(rules), collectMembers(leftOut), collectFormer(rules)]) db.exec(step);
  if (rules.former === 'leave-out') db.exec('DELETE FROM temp.former WHERE is_known = 1');
  db.exec(describeFormer);
  if (rules.former === 'join') db.exec(takeFromJoining);
  db.exec(collectPeople(leftOut, rules.everyone));
  const { emailAs = null, phoneAs = null, botRole = null, areDeletedNameless } = rules;
  db.prepare(stagePeople).run({ emailAs, phoneAs, botRole, areDeletedNameless: areDeletedNameless ? 1 : 0 });
  const now = Math.floor(rules.nowMs / 1000);
  for (const step of [stageGroups, stageMembers(now), stageFormer(now, rules.former), dropUnwanted]) db.exec(step);
  return countRead(db, leftOut, rules.former);
}

/** Skips messages of people who are no members of their group. See `Arrivals.leaveOutFormer`. */
export function leaveOutFormer(db: Database, rules: ArrivalRules): number {
  for (const step of [collectGroups(rules), collectMembers(reasonsToStay(rules)), collectFormer(rules)]) db.exec(step);
  return skipFormer(db);
}

const reasonsToStay = ({ without }: ArrivalRules): string =>
  without.map((kind) => isLeftOut[kind]).join(' OR ') || 'false';

const undescribed = 'nothing describes the person';

/** Each that was read and is not planned, with the first reason that fits. */
function countRead(db: Database, leftOut: string, former: FormerWay): Readonly<Record<ArrivalKind, ReadArrivals>> {
  const byReason = (select: string) => {
    const rows = db.prepare<[], [string | null, number]>(`${select} GROUP BY 1`).raw().all();
    const among = (isInvalid: boolean) =>
      Object.fromEntries(rows.filter(([reason]) => reason !== null && (reason === undescribed) === isInvalid));
    return { read: rows.reduce((sum, [, count]) => sum + count, 0), skipped: among(false), invalid: among(true) };
  };
  return {
    people: byReason(`SELECT CASE WHEN n.person IS NOT NULL THEN NULL WHEN ${leftOut} THEN '${leftOutByMapping}'
      ELSE 'in no conversation that is sent' END, count(*) FROM person p LEFT JOIN temp.coming n ON n.person = p.id`),
    groups: byReason(`SELECT iif(g.conversation IS NULL, 'nothing of it is sent', NULL), count(*)
      FROM conversation c LEFT JOIN temp.arriving_group g ON g.conversation = c.id WHERE c.receiver_type = 'group'`),
    members:
      byReason(`SELECT CASE WHEN j.person IS NOT NULL OR (${former === 'join'} AND f.person IS NOT NULL) THEN NULL
      WHEN g.conversation IS NULL THEN 'nothing of the group is sent'
      WHEN l.outside IS NOT NULL THEN l.outside WHEN p.id IS NULL THEN '${undescribed}' WHEN ${leftOut} THEN '${leftOutByMapping}'
      WHEN l.is_banned THEN 'known only as banned' ELSE 'named twice' END, count(*)
      FROM temp.listed l LEFT JOIN temp.arriving_group g ON g.conversation = l.conversation LEFT JOIN person p ON p.source_id = l.source_id
      LEFT JOIN temp.joining j ON j.conversation = l.conversation AND j.person = p.id
      LEFT JOIN temp.former f ON f.conversation = l.conversation AND f.person = p.id
      GROUP BY 1 UNION ALL SELECT NULL, count(*) FROM temp.former f JOIN person p ON p.id = f.person WHERE ${former === 'join'} AND NOT EXISTS (
        SELECT 1 FROM temp.listed l WHERE l.conversation = f.conversation AND l.source_id = p.source_id)`),
  };
}
