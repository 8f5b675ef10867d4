import { type Data, listOf, objectOf, textOf } from '../data-parts.ts';
import { Json } from './parts.tsx';

/** An interactive message as users see it. Nothing can be filled in: it is shown, and not sent. */
export function Interactive({ type, data }: { readonly type: string; readonly data: Data }) {
  const interactive = objectOf(data.interactiveData);
  const elements = listOf(interactive.formFields ?? interactive.elements ?? interactive.cardActions).map(objectOf);
  const text = textOf(interactive.title ?? interactive.text);
  if (elements.length === 0 && text === '')
    return (
      <div class="card">
        <p class="card-title">{type}</p>
        <Json value={data.interactiveData} />
      </div>
    );
  const submit = interactive.submitElement;
  return (
    <div class="card form">
      {text !== '' && (
        <p class="card-title">
          <bdi>{text}</bdi>
        </p>
      )}
      {elements.slice(0, 100).map((element, index) => (
        <Element key={index} element={element} />
      ))}
      {submit !== undefined && <Element element={objectOf(submit)} />}
    </div>
  );
}

function Element({ element }: { readonly element: Data }) {
  const label = `${textOf(element.label)}${element.optional === true ? ' (optional)' : ''}`;
  const chosen = listOf(element.defaultValue).map(textOf).concat(textOf(element.defaultValue));
  switch (element.elementType) {
    case 'button':
      return <FakeButton element={element} />;
    case 'label':
      return <p>{textOf(element.text ?? element.label)}</p>;
    case 'dropdown':
      return (
        <label class="field">
          <span>{label}</span>
          <select disabled>
            {optionsOf(element).map(({ value, label }) => (
              <option key={value} selected={chosen.includes(value)}>
                {label}
              </option>
            ))}
          </select>
        </label>
      );
    case 'singleSelect':
    case 'radio':
    case 'checkbox':
      return <Choices element={element} label={label} chosen={chosen} />;
    default:
      return (
        <label class="field">
          <span>{label || textOf(element.elementType)}</span>
          <input
            disabled
            type="text"
            value={textOf(element.defaultValue)}
            placeholder={textOf(element.placeholder ?? element.dateTimeFormat)}
          />
        </label>
      );
  }
}

function Choices({
  element,
  label,
  chosen,
}: {
  readonly element: Data;
  readonly label: string;
  readonly chosen: readonly string[];
}) {
  const kind = element.elementType === 'checkbox' ? 'checkbox' : 'radio';
  return (
    <fieldset disabled>
      <legend>{label}</legend>
      {optionsOf(element).map(({ value, label }) => (
        <label key={value} class="choice">
          <input type={kind} checked={chosen.includes(value)} /> {label}
        </label>
      ))}
    </fieldset>
  );
}

/** What it would do when pressed stands beside it: here it does nothing. */
function FakeButton({ element }: { readonly element: Data }) {
  const action = objectOf(element.action);
  const does = [textOf(action.actionType), textOf(action.url)].filter(Boolean).join(': ');
  return (
    <p class="field">
      <button type="button" disabled>
        {textOf(element.buttonText) || 'button'}
      </button>
      {does !== '' && <span class="soft"> {does}</span>}
    </p>
  );
}

const optionsOf = (element: Data) =>
  listOf(element.options)
    .slice(0, 100)
    .map(objectOf)
    .map((option) => ({ value: textOf(option.value), label: textOf(option.label ?? option.value) }));
