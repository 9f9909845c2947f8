const shown = 3;

/** What to do about files and folders that this user may not read. */
export const deniedText = (denied: readonly string[]): string =>
  `This user may not read ${denied.slice(0, shown).join(', ')}. Add the user to the group of the game server's files, ` +
  'or run the command as the user that runs the game server.';
