-- A conversation is told from others by who takes part in it. Its name says less: `a_user_b` and `c` make the same of theirs as
-- `a` and `b_user_c`.
ALTER TABLE conversation ADD COLUMN sides TEXT;     -- `#guid`, or two uids in ascending order with a space between

UPDATE conversation SET sides = (
  SELECT CASE receiver_type WHEN 'group' THEN '#' || receiver
                            ELSE min(sender, receiver) || ' ' || max(sender, receiver) END
  FROM message WHERE message.conversation = conversation.id ORDER BY message.id LIMIT 1);

DELETE FROM conversation WHERE sides IS NULL;

CREATE UNIQUE INDEX conversation_sides ON conversation (sides);
