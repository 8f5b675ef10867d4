import { type Data, asList, asObject, dataText } from '../answers/data-parts.ts';
import { Picture } from './files.tsx';
import { Facts } from './parts.tsx';

/** So many elements, or options of one, are shown. */
const shownMax = 100;

/** An interactive message as users see it: a form, or a card. Nothing can be filled in or pressed: it is shown, and not sent. */
export function Interactive({ type, data }: { readonly type: string; readonly data: Data }) {
  const interactive = asObject(data.interactiveData);
  const elements = asList(interactive.formFields ?? interactive.elements ?? interactive.cardActions).map(asObject);
  const title = dataText(interactive.title ?? interactive.text);
  const { imageUrl, submitElement: submit } = interactive;
  const isKnown = elements.length > 0 || submit !== undefined || dataText(imageUrl) !== '';
  return (
    <fieldset class="card form" aria-label={title || type} disabled>
      {dataText(imageUrl) !== '' && <Picture url={dataText(imageUrl)} name={`Picture of ${title || 'the card'}`} />}
      <p class="card-title" dir="auto">
        {title || type}
      </p>
      {elements.slice(0, shownMax).map((element, index) => (
        <Element key={index} element={element} />
      ))}
      {submit !== undefined && <FakeButton element={asObject(submit)} isMain />}
      {!isKnown && <Facts value={data.interactiveData} />}
    </fieldset>
  );
}

function Element({ element }: { readonly element: Data }) {
  const label = `${dataText(element.label)}${element.optional === true ? ' (optional)' : ''}`;
  switch (element.elementType) {
    case 'button':
      return <FakeButton element={element} />;
    case 'label':
      return <p>{dataText(element.text ?? element.label)}</p>;
    case 'dropdown':
      return <Dropdown element={element} label={label} />;
    case 'singleSelect':
    case 'radio':
    case 'checkbox':
      return <Choices element={element} label={label} />;
    case 'dateTime':
      return (
        <Field label={label} value={element.defaultValue} hint={momentHint(element)} note={momentRange(element)} />
      );
    default: {
      const field = {
        label: label || dataText(element.elementType),
        value: element.defaultValue,
        hint: hintOf(element),
      };
      const lines = Number(element.maxLines) || 1;
      return lines > 1 ? <LongField {...field} lines={lines} /> : <Field {...field} />;
    }
  }
}

interface FieldProps {
  readonly label: string;
  readonly value: unknown;
  /** Stands in the field while it is empty. */
  readonly hint: string;
  readonly note?: string;
}

const Field = ({ label, value, hint, note = '' }: FieldProps) => (
  <label class="field">
    <span>{label}</span>
    <input type="text" disabled value={dataText(value)} placeholder={hint} />
    {note !== '' && <span class="soft">{note}</span>}
  </label>
);

const LongField = ({ label, value, hint, lines }: FieldProps & { readonly lines: number }) => (
  <label class="field">
    <span>{label}</span>
    <textarea rows={Math.min(lines, 8)} disabled value={dataText(value)} placeholder={hint} />
  </label>
);

/** The specification writes `{ text }`. */
const hintOf = ({ placeholder }: Data): string =>
  typeof placeholder === 'string' ? placeholder : dataText(asObject(placeholder).text);

const momentHint = (element: Data): string =>
  hintOf(element) || dataText(element.dateTimeFormat) || dataText(element.mode) || 'date and time';

function momentRange({ from, from1, to, timezoneCode }: Data): string {
  const first = dataText(from ?? from1);
  const range = [first && `from ${first}`, dataText(to) && `to ${dataText(to)}`].filter(Boolean).join(' ');
  return [range, dataText(timezoneCode)].filter(Boolean).join(', ');
}

interface ChoiceProps {
  readonly element: Data;
  readonly label: string;
}

function Dropdown({ element, label }: ChoiceProps) {
  const chosen = dataText(element.defaultValue);
  return (
    <label class="field">
      <span>{label}</span>
      <select disabled>
        {chosen === '' && <option>Choose…</option>}
        {toOptions(element).map(({ value, label }) => (
          <option key={value} selected={value === chosen}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

function Choices({ element, label }: ChoiceProps) {
  const kind = element.elementType === 'checkbox' ? 'checkbox' : 'radio';
  const { defaultValue } = element;
  const chosen = Array.isArray(defaultValue) ? defaultValue.map(dataText) : [dataText(defaultValue)];
  return (
    <fieldset disabled>
      <legend>{label}</legend>
      {toOptions(element).map(({ value, label }) => (
        <label key={value} class="choice">
          <input type={kind} checked={chosen.includes(value)} /> {label}
        </label>
      ))}
    </fieldset>
  );
}

/** What it would do when pressed stands beside it: here it does nothing. */
function FakeButton({ element, isMain = false }: { readonly element: Data; readonly isMain?: boolean }) {
  const action = asObject(element.action);
  const does = doings[dataText(action.actionType)] ?? dataText(action.actionType);
  const url = dataText(action.url);
  return (
    <p class="pressed">
      <button type="button" disabled class={isMain ? 'main' : undefined}>
        {dataText(element.buttonText) || 'button'}
      </button>
      {does !== '' && (
        <span class="soft">
          {does} <bdi>{url}</bdi>
        </span>
      )}
    </p>
  );
}

const doings: Readonly<Record<string, string>> = { urlNavigation: 'opens', apiAction: 'calls' };

const toOptions = (element: Data) =>
  asList(element.options)
    .slice(0, shownMax)
    .map(asObject)
    .map((option) => ({ value: dataText(option.value), label: dataText(option.label ?? option.value) }));
