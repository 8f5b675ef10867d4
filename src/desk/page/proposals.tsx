import { useState } from 'preact/hooks';
import { isOpen } from '../../decisions/decision.ts';
import type { Answered, Card, CardPage } from '../shapes.ts';
import type { Desk } from './desk.ts';
import { Fault } from './elements.tsx';
import { asName } from './name.ts';
import { stepHref } from './route.ts';
import { read } from './send.ts';
import { useDeed } from './use-deed.ts';

/** Proposed answers that were shown, by card: as long as the page is open. */
const shown = new Map<string, string>();

const findProposal = ({ options }: Card): string | undefined => options.find(({ isProposed }) => isProposed)?.does;

/** Notes that a person sees what is proposed. */
export function noteProposal(card: Card): void {
  const proposal = findProposal(card);
  if (proposal !== undefined) shown.set(card.id, proposal);
}

interface ProposalsProps {
  readonly desk: Desk;
  readonly page: CardPage;
  readonly onAnswered: (answered: Answered) => void;
}

/** Accepts all proposals at once, after each was shown. */
export function Proposals({ desk, page, onAnswered }: ProposalsProps) {
  const { error, isBusy, act } = useDeed();
  const [done, setDone] = useState(0);
  const proposed = page.rows.filter((card) => isOpen(card) && findProposal(card) !== undefined);
  const unseen = proposed.filter((card) => shown.get(card.id) !== findProposal(card));
  const accept = async () => {
    for (const [index, { id }] of proposed.entries()) {
      setDone(index);
      const card = await read('card', { id });
      // An answer before it may have settled it, or changed the proposal.
      if (card === null || !isOpen(card) || shown.get(id) !== findProposal(card)) continue;
      const answers = [card.options.findIndex(({ isProposed }) => isProposed)];
      onAnswered(await desk.write('answer', { card: id, answers, by: desk.by }, card.version));
    }
    location.hash = stepHref('decide');
  };
  if (proposed.length < 2 && !isBusy) return null;
  return (
    <div class="filters">
      {unseen.length > 0 && !isBusy ? (
        <>
          <a class="button" href={stepHref('decide', unseen[0]!.id)}>
            Look at the next proposal
          </a>
          <span class="soft">
            {unseen.length} of {proposed.length} proposals to look at, then all can be accepted at once
          </span>
        </>
      ) : (
        <button type="button" disabled={isBusy} onClick={() => asName(desk) && void act(accept)}>
          {isBusy ? `Writing ${done + 1}…` : `Accept the ${proposed.length} proposals`}
        </button>
      )}
      {error && <Fault error={error} />}
    </div>
  );
}
