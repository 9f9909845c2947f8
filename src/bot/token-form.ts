/** Other values from the developer portal, and what copying goes wrong with. */
const notTokens: readonly [pattern: RegExp, problem: string][] = [
  [/^\d{15,21}$/, 'is an application id, not the token of the bot'],
  [/^[0-9a-f]{64}$/i, "is the application's public key, not the token of the bot"],
  [/^[\w-]{32}$/, 'is a client secret, not the token of the bot'],
  [/^bot\s/i, 'begins with "Bot", which is no part of the token'],
  [/\s/, 'has a blank in it'],
  [/^["'“„]|["'”]$/, 'has a quotation mark in it'],
  [/[^\x21-\x7e]/, 'has characters that no token has'],
];

/** Why a text cannot be the token of a bot; null: it may be one. It is never quoted. */
export const tokenProblem = (token: string): string | null =>
  notTokens.find(([pattern]) => pattern.test(token))?.[1] ?? null;
