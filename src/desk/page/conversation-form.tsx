import { useState } from 'preact/hooks';
import type { ConversationRow } from '../shapes.ts';
import { submitting } from './elements.tsx';

interface ConversationFormProps {
  readonly row: ConversationRow;
  readonly isBusy: boolean;
  readonly onSave: (change: Pick<ConversationRow, 'rename' | 'access' | 'owner'>) => unknown;
}

/** How a group is called, who may see it, and whose it is. */
export function ConversationForm({ row, isBusy, onSave }: ConversationFormProps) {
  const { title, rename, access, owner } = row;
  const [typed, setTyped] = useState({ rename, access, owner });
  return (
    <form class="fields" onSubmit={submitting(() => onSave(typed))}>
      <label class="field">
        Name
        <input
          type="text"
          placeholder={title}
          value={typed.rename}
          maxLength={1_000}
          onInput={({ currentTarget: { value } }) => setTyped({ ...typed, rename: value })}
        />
      </label>
      <label class="field">
        Who may see it
        <select
          value={typed.access}
          onChange={({ currentTarget: { value } }) =>
            setTyped({ ...typed, access: value as ConversationRow['access'] })
          }
        >
          <option value="">As all groups</option>
          <option value="private">Its members</option>
          <option value="public">Everyone</option>
        </select>
      </label>
      <label class="field">
        Owner
        <input
          type="text"
          placeholder="The uid of a person; empty: as all groups"
          value={typed.owner}
          maxLength={100}
          spellcheck={false}
          onInput={({ currentTarget: { value } }) => setTyped({ ...typed, owner: value })}
        />
      </label>
      <p class="filters">
        <button type="submit" disabled={isBusy}>
          Save
        </button>
      </p>
    </form>
  );
}
