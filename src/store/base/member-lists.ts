/** Whether the export lists neither members of conversation `c` nor anyone who was one. */
export const listsNobody = `json_array_length(c.record, '$.members') + coalesce(json_array_length(c.record, '$.memberships'), 0) = 0`;

/** Whether person `p` can be a member at all: the author `unknown` stands for several, and a deleted account is in no group. */
export const mayBeMember = `p.source_id <> 'unknown' AND coalesce(p.record ->> '$.isDeleted', 0) = 0`;
