/**
 * Backups of the Android app SMS Backup & Restore: https://synctech.com.au/sms-backup-restore/fields-in-xml-backup-files/ (looked at 2026-11).
 *
 *     <smses count="2" backup_set="…" backup_date="1772442000000" type="full">
 *       <sms protocol="0" address="+15555550100" date="1772442000000" type="1" subject="null" body="Hello &#55357;&#56832;" …
 *         contact_name="Ann" />
 *       <mms date="1772442001000" msg_box="1" address="+15555550100~+15555550101" m_type="132" m_id="…" …>
 *         <parts><part seq="0" ct="text/plain" text="…" /><part seq="1" ct="image/jpeg" name="a.jpg" data="/9j/4AAQ…" /></parts>
 *         <addrs><addr address="+15555550100" type="137" /><addr address="+15555550199" type="151" /></addrs>
 *       </mms>
 *     </smses>
 *
 * - Values are those of the phone's database: `null` is written as a word, a person who is not in the address book is `(Unknown)`.
 * - Characters outside of the basic plane are two references to surrogates, which is no well-formed XML.
 * - `type` of an SMS: 1 received, 2 sent, 3 draft, 4 outbox, 5 failed, 6 queued. `msg_box` of an MMS: the same.
 * - `m_type` 130 is an MMS that was announced and not fetched. A part `application/smil` is how the others are laid out.
 * - `type` of an `addr`: 137 from, 151 to, 130 copy, 129 blind copy; `insert-address-token` is the phone itself.
 * - There are no ids. The number of the phone is known from MMS that it sent.
 * - `count` is that of the moment when the backup began.
 */

export const self = 'self';

/** The phone's own address, before the network filled it in. */
export const ownToken = 'insert-address-token';

export const box = { received: '1', sent: '2' } as const;

/** Messages that never left the phone. */
export const neverSent: Readonly<Record<string, string>> = {
  3: 'drafts',
  4: 'messages in the outbox',
  5: 'messages that failed',
  6: 'queued messages',
};

export const addressType = { from: '137', blindCopy: '129' } as const;

/** An MMS that was announced, and whose content was not fetched. */
export const notFetched = '130';

/** Values of the phone's database that mean nothing. */
export const asWord = (value: string | undefined): string | undefined =>
  value === undefined || value === '' || value === 'null' ? undefined : value;

/** Words of a person: not what some phones write for no subject, nor what Google's app keeps of RCS, `proto:` and base64. */
export const asText = (value: string | undefined): string | undefined => {
  const word = asWord(value);
  return word === 'NoSubject' || /^proto:[\w+/=-]{8,}$/.test(word ?? '') ? undefined : word;
};

/** A name of the address book. Numbers in its place are none. */
export const nameOf = (value: string | undefined): string | undefined => {
  const name = asWord(value);
  return name === '(Unknown)' || /^[+\d\s().,;~-]*$/.test(name ?? '') ? undefined : name;
};

/** A telephone number without the characters that only divide it; anything else as it is. */
export function normaliseAddress(value: string): string {
  const trimmed = value.trim();
  const digits = trimmed.replace(/[\s().\-\u00a0]/g, '');
  return /^\+?\d{3,}$/.test(digits) ? digits : trimmed.toLowerCase();
}

/** Milliseconds; ten digits are seconds, as in the phone's own table of MMS. */
export function timeOf(value: string | undefined): number | undefined {
  if (value === undefined || !/^\d{10,13}$/.test(value)) return undefined;
  return value.length === 10 ? Number(value) * 1000 : Number(value);
}
