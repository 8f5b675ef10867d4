import { type ComponentChild, h } from 'preact';
import { useMemo } from 'preact/hooks';
import { describeUndecided, formatAbout } from '../../decisions/decision.ts';
import { type MarkupNode, parseMarkup } from '../../lib/text/markup-tree.ts';
import { useAnswer } from '../../viewer/page/door.tsx';
import type { Card, ReportView } from '../shapes.ts';
import { Icon } from '../../web/page/icon.tsx';
import { stepHref } from './route.ts';
import { read } from './send.ts';

export type Report = NonNullable<ReportView['report']>;

/** Why a plan is not the one that an import would send. */
export const changedAnswers = 'The answers have changed since this plan';

/** Whether nothing is sent before a person has confirmed how the rows are read. */
export const isUnconfirmed = ({ reading }: Report): boolean => (reading?.stops.length ?? 0) > 0;

export const Unconfirmed = () => (
  <p class="notice">
    Nothing is sent before you have confirmed how the rows are read:{' '}
    <a href={stepHref('decide', 'reading')}>Is this your data?</a>
  </p>
);

/** The one sentence of a report. */
export const Verdict = ({ view: { verdict, tone } }: { readonly view: ReportView }) => (
  <p class={`verdict is-${tone ?? 'plain'}`}>
    {tone !== null && tone !== 'plain' && <Icon name={verdictMarks[tone]} />}
    <bdi>{verdict}</bdi>
  </p>
);

const verdictMarks = { good: 'check', notice: 'note', bad: 'warning' } as const;

/** The sections that the view was asked for. Their elements are made one by one: no text becomes markup. */
export function Sections({ view: { sections } }: { readonly view: ReportView }) {
  const nodes = useMemo(() => parseMarkup(sections).map(toNode), [sections]);
  return <div class="report">{nodes}</div>;
}

const toNode = (node: MarkupNode): ComponentChild =>
  typeof node === 'string' ? node : h(node.name, node.attributes, node.children.map(toNode));

interface ChoicesProps {
  readonly version: string;
  readonly of?: Card['about']['of'];
}

/** Links to open decisions that most do without. @param of Those about something else are left out. */
export function Choices({ version, of }: ChoicesProps) {
  const { answer: cards } = useAnswer(() => read('cards'), [version]);
  const undecided =
    cards?.rows.filter(
      ({ isOptional, takesSeveral, answer, about }) =>
        isOptional && !takesSeveral && answer === null && (of ?? about.of) === about.of,
    ) ?? [];
  return undecided.map(({ id, question, about, ifUndecided }) => (
    <p key={id} class="soft">
      <a href={stepHref('decide', id)}>{question}</a> {formatAbout(about)}: {describeUndecided({ ifUndecided })} unless
      you decide otherwise.
    </p>
  ));
}
