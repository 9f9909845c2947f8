/** Nobody is hidden or forgotten. */
export const allListed = { revision: () => 0, isUnlisted: () => false };
