import type { UserRecord } from '../../model/records.ts';
import { asArray, asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import type { HubSpotActor, HubSpotMessage, HubSpotParty } from './format.ts';

/** Kinds of actors that are no people. */
const machines = /^[BLIS]-/;

function personOf(id: string, { name, email, avatar }: Untrusted<HubSpotActor>): UserRecord {
  const address = asString(email);
  const avatarUrl = asString(avatar);
  return {
    kind: 'user',
    id,
    name: asString(name)?.trim() || (address ?? id),
    ...(address !== undefined && { email: address }),
    ...(avatarUrl !== undefined && { avatarUrl }),
    ...(machines.test(id) && { role: 'bot', isBot: true }),
  };
}

export function actorOf(value: unknown): UserRecord | undefined {
  const actor = asObject<HubSpotActor>(value);
  const id = asId(actor?.id);
  return actor && id !== undefined ? personOf(id, actor) : undefined;
}

/**
 * The author of a message: its sender, by the actor, else by the address that it came from; else the one who made the row. Events are by the one who
 * caused them: their sender is the system.
 */
export function authorOf(row: Untrusted<HubSpotMessage>, isEvent: boolean): UserRecord | undefined {
  const senders = asArray(row.senders).flatMap((value) => asObject<HubSpotParty>(value) ?? []);
  const sender = senders.find(({ senderField }) => senderField === 'FROM') ?? senders[0] ?? {};
  const creator = asId(row.createdBy);
  if (isEvent && creator !== undefined) return personOf(creator, {});
  const { type, value } = asObject<HubSpotParty['deliveryIdentifier']>(sender.deliveryIdentifier) ?? {};
  const address = asString(value);
  const actor = asId(sender.actorId) ?? (address === undefined ? creator : `E-${address}`);
  if (actor === undefined) return undefined;
  // Agents write from the address of their inbox.
  const email = type === 'HS_EMAIL_ADDRESS' && /^[VE]-/.test(actor) ? address : undefined;
  return personOf(actor, { name: sender.name, email });
}
