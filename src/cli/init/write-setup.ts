import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { readTextFile, readTextIfThere } from '../../config/text-file.ts';
import { renameOver } from '../../process/rename.ts';
import { CommandFailure } from '../output.ts';
import { withVariables } from './env-text.ts';

interface SetupFiles {
  configFile: string;
  configText: string;
  /** The text that it replaces; null: there is no config yet. */
  configBefore: string | null;
  envFile: string;
  /** Empty: `.env` is left alone. */
  secrets: ReadonlyMap<string, string>;
}

const secretMode = 0o600;

/** @throws CommandFailure when there is a config already */
export function checkNoConfig(configFile: string): void {
  if (!existsSync(configFile)) return;
  throw new CommandFailure(
    `There is a config at ${configFile} already, so nothing was written.\n` +
      'To add a game server to it, run "outpost init --add". To change it, edit the file and run "outpost check-config". ' +
      'To begin anew, rename the file and run "outpost init" again.',
  );
}

/** The text of a `.env` file; empty: there is none. @throws ConfigError */
export const readEnvFile = (file: string): string => readTextIfThere(file) ?? '';

/**
 * Writes the config and the secrets into `.env`, both at the end, in the place of the files that are there. The secrets come
 * first: where a signal ends the process in between, they do nothing without a config, and the next run finds them.
 * @throws CommandFailure, and both files are as they were
 */
export async function writeSetup(files: SetupFiles, rename = renameOver): Promise<void> {
  const { configFile, configText, configBefore, envFile, secrets } = files;
  if (configBefore === null) checkNoConfig(configFile);
  else if (readTextFile(configFile) !== configBefore)
    throw new CommandFailure(
      `${configFile} has changed meanwhile, so nothing was written. Run the command again.`,
    );
  // A link to a file elsewhere stays one.
  const target = existsSync(envFile) ? realpathSync(envFile) : resolve(envFile);
  const configTarget = configBefore === null ? configFile : realpathSync(configFile);
  const envBefore = readTextIfThere(target);
  const envText = secrets.size === 0 ? null : withVariables(envBefore ?? '', secrets);
  const config = temporaryName(configTarget);
  const env = temporaryName(target);
  let putBack = (): void => {};
  try {
    const newFolder = mkdirSync(dirname(resolve(configFile)), { recursive: true });
    if (newFolder !== undefined) chmodSync(newFolder, 0o755);
    writeNew(config, configText, configBefore === null ? 0o644 : statSync(configTarget).mode & 0o777);
    if (configBefore !== null) keepOwner(config, configTarget);
    if (envText !== null) {
      writeNew(env, envText, secretMode);
      if (envBefore !== null) keepOwner(env, target);
      await rename(env, target);
      putBack = () => (envBefore === null ? rmSync(target) : writeFileSync(target, envBefore));
    }
    await rename(config, configTarget);
  } catch (error) {
    putBack();
    for (const file of [config, env]) if (existsSync(file)) rmSync(file);
    throw failure(error);
  }
}

const temporaryName = (file: string): string => `${resolve(file)}.${randomBytes(6).toString('hex')}.tmp`;

function writeNew(file: string, text: string, mode: number): void {
  const descriptor = openSync(file, 'wx', mode);
  try {
    // Writes all of it: a disk that is nearly full takes a part of it, without an error.
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  // The umask may have taken rights; Windows has no modes.
  chmodSync(file, mode);
}

/** What root writes in the place of a user's file stays that user's. */
function keepOwner(file: string, before: string): void {
  const { uid, gid } = statSync(before);
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
}

function failure(error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  const { code, path, message } = error as NodeJS.ErrnoException & { path?: string };
  const where = path === undefined ? '' : ` ${path.replace(/\.[0-9a-f]{12}\.tmp$/, '')}`;
  const forbidden =
    'this user may not write there. Give it the right, or run the command as the user that runs Outpost';
  const reasons: Record<string, string> = {
    EACCES: forbidden,
    EPERM: forbidden,
    EBUSY: 'another program has that file open, or it is a mount of its own: mount its folder instead',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full. Free some space on it, and run the command again',
    ENOTDIR: 'a part of the path is a file, a folder was expected',
  };
  return new CommandFailure(`Nothing was written. Cannot write${where}: ${reasons[code ?? ''] ?? message}.`, {
    cause: error,
  });
}
