/** Why a message is left out for its time alone, as rules and codes call it: at another time it may be taken, or be the first to be left out. */
export const timeReasons: readonly string[] = ['too-old', 'time-out-of-range', 'older than olderThan', 'older-than'];
