/**
 * Messages that a verify or undo with a filter is about: temporary tables of this connection, so memory stays flat. `Lanes.chooseInside`
 * writes them; every method that takes messages from the store reads them by name.
 */
export const insideMessages = 'SELECT message FROM temp.inside';
export const insideConversations = 'SELECT conversation FROM temp.inside_conversation';
