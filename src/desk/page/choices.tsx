import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../../web/page/icon.tsx';
import { Empty, useAnswer } from '../../viewer/page/door.tsx';
import { type Choice, choices } from '../choices.ts';
import type { Desk } from './desk.ts';
import { Fault, submitting } from './elements.tsx';
import { asName } from './name.ts';
import { stepHref } from './route.ts';
import { read } from './send.ts';
import { useDeed } from './use-deed.ts';

interface ChoicesProps {
  readonly desk: Desk;
  /** The one to begin with. */
  readonly of: string | undefined;
}

/** All that the mapping may decide without a question, with what it is now. */
export function Choices({ desk, of }: ChoicesProps) {
  const { answer, error } = useAnswer(() => read('choices'), [desk.state.version]);
  const isRead = answer !== undefined;
  useEffect(() => {
    if (isRead && of !== undefined) document.getElementById(of)?.focus();
  }, [isRead, of]);
  const valueNow = (key: string) => answer?.rows.find((row) => row.key === key)?.value ?? '';
  return (
    <>
      <header class="step-head">
        <h1>All choices</h1>
        <a class="button" href={stepHref('decide')}>
          <Icon name="back" /> Decisions
        </a>
      </header>
      <p class="soft">Each is written as soon as it is chosen, and holds from the next plan on.</p>
      {error && <Fault error={error} />}
      {!answer && !error && <Empty>Reading the mapping…</Empty>}
      {answer &&
        Object.entries(choices).map(([heading, list]) => (
          <section key={heading} class="choices" aria-label={heading}>
            <h2>{heading}</h2>
            {list.map((choice) => (
              <OneChoice
                key={choice.key + valueNow(choice.key)}
                desk={desk}
                choice={choice}
                value={valueNow(choice.key)}
              />
            ))}
          </section>
        ))}
    </>
  );
}

interface OneChoiceProps {
  readonly desk: Desk;
  readonly choice: Choice;
  /** Empty for the default. */
  readonly value: string;
}

/** Shown in the list for a text that is none of its values. */
const ownText = ' ';

function OneChoice({ desk, choice: { key, asks, says, example, isList }, value }: OneChoiceProps) {
  const values = Object.entries(says ?? {});
  const isOwn = values.length === 0 || (value !== '' && !(value in says!));
  const [isTyping, setTyping] = useState(isOwn);
  const [text, setText] = useState(isOwn ? value : '');
  const { error, isBusy, act } = useDeed();
  const save = (wanted: string) =>
    wanted === value || !asName(desk)
      ? undefined
      : act(() => desk.write('choice', { key, value: wanted, by: desk.by }));
  const choose = (wanted: string) => {
    setTyping(wanted === ownText);
    if (wanted !== ownText) void save(wanted === values[0]![0] ? '' : wanted);
  };
  return (
    <form class={value === '' ? 'choice-row' : 'choice-row set'} onSubmit={submitting(() => save(text.trim()))}>
      <label for={key}>{asks}</label>
      <span class="choice-value">
        {values.length > 0 && (
          <select
            id={key}
            disabled={isBusy}
            value={isTyping ? ownText : value || values[0]![0]}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            {values.map(([one, words]) => (
              <option key={one} value={one}>
                {words}
              </option>
            ))}
            {example !== undefined && <option value={ownText}>Something else</option>}
          </select>
        )}
        {isTyping && isList && (
          <textarea
            id={key}
            rows={Math.min(8, text.split('\n').length + 1)}
            placeholder={`One line each, for example ${example}`}
            spellcheck={false}
            disabled={isBusy}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            onBlur={() => void save(text.trim())}
          />
        )}
        {isTyping && !isList && (
          <input
            id={values.length > 0 ? undefined : key}
            type="text"
            aria-label={values.length > 0 ? asks : undefined}
            placeholder={`For example ${example}`}
            spellcheck={false}
            disabled={isBusy}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            onBlur={() => void save(text.trim())}
          />
        )}
      </span>
      {error && <Fault error={error} />}
    </form>
  );
}
