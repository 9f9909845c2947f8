import { type AnnouncedRestart, readMessagesXml, textOf } from 'dayz-files';
import { directFiles, type FileAccess, SettledFile } from 'game-files';
import { count } from '../../../process/count.ts';
import type { Database } from '../../store/engine/database.ts';
import { placedFile } from '../../store/repositories/projects/placed-file.ts';
import { findRestartFile, saveRestartFile } from '../../store/repositories/projects/restart-files.ts';
import type { ServerFile } from '../follower/sources.ts';
import type { PollResult } from '../poll-problems.ts';
import { assertGameHasFile } from '../assert-game-has-file.ts';
import { readSource } from '../read-source.ts';

const maxFileBytes = 4 * 1024 * 1024;
/** A schedule starts at a time of day, and an interval longer than a day has no fixed one. */
const longestMinutes = 1440;

/**
 * Reads when a game restarts its server. @throws SourceError when the game has no such file, when it cannot be read or is
 * another file, or for an unsupported interval
 */
export async function readMessagesFile(
  game: string,
  file: string,
  files: FileAccess = directFiles,
): Promise<AnnouncedRestart> {
  assertGameHasFile(game, 'restartFile', file);
  return await readSource(files, file, maxFileBytes, async (bytes) => {
    const content = await readMessagesXml(textOf(bytes));
    const { restartMinutes } = content;
    if (restartMinutes === null || restartMinutes <= longestMinutes) return content;
    throw new Error(
      `restarts the server ${count(restartMinutes, 'minute')} after its start: a schedule can hold at most ${longestMinutes}; ` +
        'write the schedule into the config instead',
    );
  });
}

/**
 * Reads a file in which a game announces its restarts whenever it has changed. One that cannot be read leaves its schedule as it
 * was. @returns a function for each poll: `{}` means that the file has not changed, null that it is being changed
 */
export function followMessages(
  { id, game, file, place }: ServerFile,
  { db, files }: { db: Database; files: FileAccess },
) {
  const settled = new SettledFile(files, file);
  const storedAs = placedFile(file, place && id);
  return async (): Promise<PollResult<AnnouncedRestart> | null> => {
    const isNotStored = async (): Promise<boolean> => (await findRestartFile(db, storedAs)) === undefined;
    const polled = await settled.poll(isNotStored);
    if (polled.state !== 'unread') return polled.state === 'read' ? {} : null;
    const report = await readMessagesFile(game, file, files);
    const stored = await findRestartFile(db, storedAs);
    if (stored?.restartMinutes !== report.restartMinutes)
      await saveRestartFile(db, storedAs, report.restartMinutes);
    settled.done(polled);
    return { report };
  };
}
