/** The kinds of offence that a ban is for. */
export const banCategories = ['CHEATING', 'GRIEFING', 'TOXICITY', 'EXPLOITING', 'EVASION', 'OTHER'] as const;
