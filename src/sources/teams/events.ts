import type { MessageRecord } from '../../model/records.ts';
import { asArray, asString } from '../kit/narrow.ts';
import { markdownLink } from '../kit/text/markdown.ts';
import { Fields } from './format.ts';

/** An event that the platform wrote. */
export interface TeamsEvent {
  /** `membersAdded`; `unknown` if the export does not name the event. */
  readonly kind: string;
  readonly text: string;
  readonly initiator: string | undefined;
  readonly call: MessageRecord['call'];
}

/** Keys that a tenant export writes next to those of the event. */
const noKind = new Set(['eventtype', 'initiator']);

/**
 * Returns the event, by `eventDetail`.
 *
 * @param nameOf Returns a person's name by id, if the export lists it.
 */
export function readEvent(detail: Fields, sentAtMs: number, nameOf: (id: string) => string | undefined): TeamsEvent {
  const typed = /^#?microsoft\.graph\.(\w{1,60}?)(?:EventMessageDetail)?$/.exec(
    asString(detail.get('@odata.type')) ?? '',
  );
  const key = typed ? undefined : detail.keys().find((name) => isKind(name, detail));
  const kind = typed?.[1] ?? (key === undefined ? 'unknown' : lower(key));
  const facts = key === undefined ? detail : detail.in(lower(key));
  const initiator = ['user', 'application'].map((who) => asString(detail.in('initiator').in(who).get('id')));
  const people = asArray(facts.get('members') ?? detail.get('members')).flatMap((member) => {
    const id = asString(new Fields(member).get('id'));
    return asString(new Fields(member).get('displayName')) ?? (id === undefined ? [] : (nameOf(id) ?? id));
  });
  const recording = asString(facts.get('callRecordingUrl'));
  const name = ['chatDisplayName', 'channelDisplayName', 'teamDisplayName', 'tabName', 'teamsAppDisplayName']
    .map((field) => asString(facts.get(field)))
    .find(Boolean);
  const words = kind === 'unknown' ? 'System event' : inWords(kind);
  const recorded = asString(facts.get('callRecordingDisplayName'));
  const file = recording === undefined ? recorded : markdownLink(recording, recorded);
  const what = [...people, ...[name, file].filter((one) => one !== undefined)].join(', ');
  return {
    kind,
    text: what === '' ? words : `${words}: ${what}`,
    initiator: initiator.find(Boolean),
    call: kind === 'callEnded' || kind === 'callStarted' ? readCall(facts, sentAtMs, kind) : undefined,
  };
}

const isKind = (name: string, detail: Fields): boolean =>
  !noKind.has(name.toLowerCase()) && !name.startsWith('@') && typeof detail.get(lower(name)) === 'object';

const lower = (name: string): string => name.slice(0, 1).toLowerCase() + name.slice(1);

/** `membersAdded` as `Members added`. */
function inWords(kind: string): string {
  const words = kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function readCall(facts: Fields, sentAtMs: number, kind: string): MessageRecord['call'] {
  const participants = asArray(facts.get('callParticipants')).flatMap(
    (value) => asString(new Fields(value).in('participant').in('user').get('id')) ?? [],
  );
  const people = participants.length > 0 && { participants };
  if (kind === 'callStarted') return { startedAtMs: sentAtMs, ...people };
  const duration = durationMs(asString(facts.get('callDuration')));
  return { ...(duration !== undefined && { startedAtMs: sentAtMs - duration }), endedAtMs: sentAtMs, ...people };
}

/** `PT1H2M3.5S`. */
function durationMs(text: string | undefined): number | undefined {
  const found = /^PT(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})(?:\.\d{1,9})?S)?$/.exec(text ?? '');
  if (!found) return undefined;
  const [, hours = '0', minutes = '0', seconds = '0'] = found;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}
