import { type Actors, type Data, dataText } from './data-parts.ts';

interface Happened {
  readonly category: string;
  readonly type: string;
  readonly data: Data;
  readonly actors: Actors;
}

/** Describes an action or a call in a sentence; returns undefined for a message that a person wrote. */
export function describeEvent({ category, type, data, actors }: Happened): string | undefined {
  const told = dataText(data.action);
  const { by = 'Somebody', on = 'somebody' } = actors;
  switch (category) {
    case 'action':
      return actions[told]?.(by, on) ?? `${by}: ${told || type}`;
    case 'call':
      return calls[told]?.(by, callName(type)) ?? `${callName(type)} of ${by}${told === '' ? '' : `: ${told}`}`;
    case 'custom':
      return type === 'location' ? '📍 Location' : undefined;
    default:
      return undefined;
  }
}

/** `scopeChanged` and what follows it: the hosted service's documentation names these, the specification shows none. */
const actions: Readonly<Record<string, (by: string, on: string) => string>> = {
  joined: (by) => `${by} joined`,
  left: (by) => `${by} left`,
  added: (by, on) => `${by} added ${on}`,
  kicked: (by, on) => `${by} removed ${on}`,
  banned: (by, on) => `${by} banned ${on}`,
  unbanned: (by, on) => `${by} lifted the ban of ${on}`,
  scopeChanged: (by, on) => `${by} changed what ${on} may do`,
  edited: (by) => `${by} edited a message`,
  deleted: (by) => `${by} deleted a message`,
};

const callName = (type: string): string => (type === 'audio' || type === 'video' ? `${type} call` : 'call');

const calls: Readonly<Record<string, (by: string, call: string) => string>> = {
  initiated: (by, call) => `${by} started ${call === 'audio call' ? 'an' : 'a'} ${call}`,
  ongoing: (by, call) => `The ${call} of ${by} is going on`,
  ended: (by, call) => `The ${call} of ${by} ended`,
  cancelled: (by, call) => `${by} cancelled the ${call}`,
  rejected: (by, call) => `The ${call} of ${by} was rejected`,
  unanswered: (by, call) => `The ${call} of ${by} was not answered`,
  busy: (by, call) => `The line was busy for the ${call} of ${by}`,
};
