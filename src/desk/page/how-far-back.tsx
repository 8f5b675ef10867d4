import { useState } from 'preact/hooks';
import type { ConversationsPage } from '../shapes.ts';
import type { Desk } from './desk.ts';
import { Fault, submitting } from './elements.tsx';
import { asName } from './name.ts';
import { useDeed } from './use-deed.ts';

interface HowFarBackProps {
  readonly desk: Desk;
  readonly page: Pick<ConversationsPage, 'olderThan' | 'serviceDays'>;
  readonly onChange: () => void;
}

type Way = 'all' | 'service' | 'days' | 'date' | 'other';

const days = /^(\d+)d$/;
const date = /^\d{4}-\d\d-\d\d$/;

const wayOf = ({ olderThan, serviceDays }: HowFarBackProps['page']): Way => {
  if (olderThan === '') return 'all';
  if (olderThan === `${serviceDays}d`) return 'service';
  if (days.test(olderThan)) return 'days';
  return date.test(olderThan) ? 'date' : 'other';
};

/** Of what time messages are moved. */
export function HowFarBack({ desk, page, onChange }: HowFarBackProps) {
  const { olderThan, serviceDays } = page;
  const [way, setWay] = useState(wayOf(page));
  const [typed, setTyped] = useState(days.exec(olderThan)?.[1] ?? olderThan);
  const { error, isBusy, act } = useDeed();
  const save = (value: string) =>
    asName(desk) &&
    void act(async () => {
      await desk.write('choice', { key: 'messages.olderThan', value, by: desk.by });
      onChange();
    });
  const choose = (chosen: Way) => {
    setWay(chosen);
    if (chosen === 'all') save('');
    else if (chosen === 'service') save(`${serviceDays}d`);
    else if (chosen !== 'other') setTyped('');
  };
  const saveTyped = () => typed !== '' && save(way === 'days' ? `${typed}d` : typed);
  return (
    <form class="filters" onSubmit={submitting(saveTyped)}>
      <label class="how-far">
        How far back
        <select value={way} disabled={isBusy} onChange={({ currentTarget: { value } }) => choose(value as Way)}>
          <option value="all">All messages</option>
          {serviceDays !== null && <option value="service">What the service keeps: {serviceDays} days</option>}
          <option value="days">The last days</option>
          <option value="date">Since a date</option>
          {wayOf(page) === 'other' && <option value="other">The last {olderThan}</option>}
        </select>
      </label>
      {way === 'days' && (
        <input
          type="number"
          min={1}
          max={36_500}
          required
          aria-label="Days"
          value={typed}
          onInput={({ currentTarget: { value } }) => setTyped(value)}
        />
      )}
      {way === 'date' && (
        <input
          type="date"
          required
          aria-label="Since"
          value={typed}
          onInput={({ currentTarget: { value } }) => setTyped(value)}
        />
      )}
      {(way === 'days' || way === 'date') && (
        <button type="submit" disabled={isBusy}>
          Set
        </button>
      )}
      {error && <Fault error={error} />}
    </form>
  );
}
