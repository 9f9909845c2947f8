import { directFiles, type FileAccess, readWholeFile } from 'game-files';
import { fileProblem, SourceError } from '../../files/errors.ts';
import { requireGameFile } from '../require-game-file.ts';
import { type AnnouncedRestart, readMessagesXml, textOf } from 'dayz-files';
import { count } from '../../../process/count.ts';

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
  requireGameFile(game, 'restartFile', file);
  let bytes: Buffer;
  try {
    ({ bytes } = await readWholeFile(files, file, maxFileBytes));
  } catch (error) {
    throw new SourceError(file, fileProblem(error), { cause: error });
  }
  let content: AnnouncedRestart;
  try {
    content = await readMessagesXml(textOf(bytes));
  } catch (error) {
    throw new SourceError(file, (error as Error).message, { cause: error });
  }
  const { restartMinutes } = content;
  if (restartMinutes !== null && restartMinutes > longestMinutes) {
    throw new SourceError(
      file,
      `restarts the server ${count(restartMinutes, 'minute')} after its start: a schedule can hold at most ${longestMinutes}; ` +
        'write the schedule into the config instead',
    );
  }
  return content;
}
