import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError } from '../../config/error.ts';
import { environmentVariable, parseConfigText } from '../../config/load.ts';
import { parseDotEnv, readTextIfThere } from '../../config/text-file.ts';
import { renameOver } from '../../process/rename.ts';
import { CommandFailure } from '../output.ts';
import { isGameType } from '../../server/live/game-types.ts';

interface SetupFiles {
  configFile: string;
  /** With no secrets, `.env` is left alone. */
  config: { text: string; secrets: ReadonlyMap<string, string> };
  envFile: string;
  /** A variable of the environment or `.env`. */
  variable: (name: string) => string | undefined;
}

/** @throws CommandFailure when there is a config already */
export function checkNoConfig(configFile: string): void {
  if (!existsSync(configFile)) return;
  throw new CommandFailure(
    `There is a config at ${configFile} already, so nothing was written.\n` +
      'To change it or to add a game server, edit the file and run "outpost check-config". ' +
      'To begin anew, rename the file and run "outpost init" again.',
  );
}

/**
 * Writes the secrets into `.env`, then the config, both at the end, in the place of the files that are there. Where the config
 * cannot be moved into its place, the secrets stay: they do nothing without it, and the next run takes them.
 * @returns variables whose value in the environment wins over the one that was written
 * @throws CommandFailure or ConfigError, and there is no config
 */
export async function writeSetup(
  { configFile, config, envFile, variable }: SetupFiles,
  rename = renameOver,
): Promise<string[]> {
  const { text, secrets } = config;
  checkNoConfig(configFile);
  // A link to a file elsewhere stays one.
  const target = existsSync(envFile) ? realpathSync(envFile) : resolve(envFile);
  const envBefore = readTextIfThere(target);
  const newConfig = temporaryName(configFile);
  const newEnv = temporaryName(target);
  try {
    const newFolder = mkdirSync(dirname(resolve(configFile)), { recursive: true });
    if (newFolder !== undefined) chmodSync(newFolder, 0o755);
    refuseInvalid(configFile, config);
    writeNew(newConfig, text, 0o644);
    if (secrets.size > 0) {
      writeNew(newEnv, withVariables(envBefore ?? '', secrets), 0o600);
      // What root writes in the place of a user's file stays that user's.
      if (envBefore !== null && process.getuid?.() === 0) {
        const { uid, gid } = statSync(target);
        chownSync(newEnv, uid, gid);
      }
      await rename(newEnv, target);
    }
    await rename(newConfig, configFile);
  } catch (error) {
    for (const file of [newConfig, newEnv]) if (existsSync(file)) rmSync(file);
    throw failure(error);
  }
  const before = parseDotEnv(envBefore ?? '');
  return [...secrets].flatMap(([name, value]) => {
    const set = variable(name);
    return set === undefined || set === before[name] || set === value ? [] : [name];
  });
}

/** What the service would refuse must not be written. Files of projects may lie beside the config already. */
function refuseInvalid(configFile: string, { text, secrets }: SetupFiles['config']): void {
  try {
    parseConfigText(text, configFile, isGameType, (name) => secrets.get(name) ?? environmentVariable(name));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new CommandFailure(
      `${error.message}\nThat would be so with the new config, so nothing was written.`,
      { cause: error },
    );
  }
}

/**
 * The text of a `.env` file with these variables set: in the place of their lines, as in a copy of `.env.example`, else at the
 * end. All other lines stay.
 * @throws CommandFailure when a value cannot be written so that it reads back the same
 */
export function withVariables(text: string, variables: ReadonlyMap<string, string>): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const known = parseDotEnv(text);
  let lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  for (const [name, value] of variables) {
    if (known[name] === value) continue;
    const setsIt = new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`);
    const first = lines.findIndex((line) => setsIt.test(line));
    // A later line would win.
    lines = lines.filter((line, index) => index === first || !setsIt.test(line));
    lines.splice(first < 0 ? lines.length : first, 1, `${name}=${quoted(name, value)}`);
  }
  const result = [...lines, ''].join(lineEnd);
  const written = parseDotEnv(result);
  for (const [name, value] of Object.entries({ ...known, ...Object.fromEntries(variables) }))
    if (written[name] !== value) throw unwritable(name);
  return result;
}

/** Bare where that reads back the same, else in the quotes that the value itself does not contain. */
function quoted(name: string, value: string): string {
  const forms = [value, `'${value}'`, `"${value}"`, `\`${value}\``];
  const form = forms.find(
    (one) => !/[\r\n]|^\s|\s$/.test(one) && parseEnv(`A=1\n${name}=${one}\nZ=1\n`)[name] === value,
  );
  if (form === undefined) throw unwritable(name);
  return form;
}

const unwritable = (name: string): CommandFailure =>
  new CommandFailure(
    `The value of ${name} cannot be written into .env. Put it into the file by hand, or use a password without quotes.`,
  );

const temporaryName = (file: string): string => `${resolve(file)}.${randomBytes(6).toString('hex')}.tmp`;

function writeNew(file: string, text: string, mode: number): void {
  // Writes all of it: a disk that is nearly full takes a part of it, without an error.
  writeFileSync(file, text, { flag: 'wx', mode, flush: true });
  // The umask may have taken rights; Windows has no modes.
  chmodSync(file, mode);
}

function failure(error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  const { code = '', path, message } = error as NodeJS.ErrnoException;
  const where = path === undefined ? '' : ` ${path.replace(/\.[0-9a-f]{12}\.tmp$/, '')}`;
  const forbidden =
    'this user may not write there. Give it the right, or run the command as the user that runs Outpost';
  const reasons: Record<string, string> = {
    EACCES: forbidden,
    EPERM: forbidden,
    EBUSY: 'another program has that file open, or it is a mount of its own: mount its folder instead',
  };
  return new CommandFailure(`No config was written. Cannot write${where}: ${reasons[code] ?? message}.`, {
    cause: error,
  });
}
