/**
 * Stands among the migrations of a store that is being copied here, as one that no version knows, after all others. So
 * no Outpost opens the store before it is complete.
 */
export const copyMark = '~copy of ';
