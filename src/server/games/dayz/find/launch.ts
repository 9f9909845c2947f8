import { splitCommandLine } from '../../command-line.ts';
import type { Launch } from '../../game.ts';

/** How a server is started. */
export interface DayzLaunch extends Launch {
  profiles: string | null;
  mission: string | null;
  battleye: string | null;
  port: number | null;
}

/** The start parameters of a server. @param args without the program itself, or with it */
export function readLaunch(
  args: readonly string[],
  { folder = null, isRunning = false }: Partial<Pick<Launch, 'folder' | 'isRunning'>> = {},
): DayzLaunch {
  const value = (name: string): string | null => {
    const prefix = `-${name}=`;
    const found = args.find((arg) => arg.toLowerCase().startsWith(prefix));
    const text = found?.slice(prefix.length).replaceAll('"', '').trim() ?? '';
    return text === '' || /\p{Cc}/u.test(text) ? null : text;
  };
  const port = Number(value('port'));
  return {
    folder,
    config: value('config'),
    profiles: value('profiles'),
    mission: value('mission'),
    battleye: value('bepath'),
    port: Number.isInteger(port) && port > 0 && port <= 65_535 ? port : null,
    isRunning,
  };
}

export const isServerProgram = (path: string): boolean =>
  /(?:^|[\\/])DayZServer(?:_x64)?(?:\.exe)?$/i.test(path);

const maxLines = 2_000;

/** The starts in a script (.bat, .cmd, .sh, .ps1): lines with start parameters, its variables filled in. */
export function readStartScript(text: string): DayzLaunch[] {
  const lines = text
    .replaceAll(/[\^\\`]\r?\n/g, ' ')
    .split(/\r?\n/)
    .slice(0, maxLines);
  const variables = new Map<string, string>();
  const launches: DayzLaunch[] = [];
  for (const line of lines) {
    if (/^\s*(?:rem\b|::|#)/i.test(line)) continue;
    const assigned =
      /^\s*(?:set\s+"?|export\s+|local\s+|\$)?([A-Za-z_]\w{0,60})\s*=\s*"?([^"\r\n]{0,400}?)"?\s*$/i.exec(
        line,
      );
    if (assigned !== null) {
      variables.set((assigned[1] as string).toLowerCase(), (assigned[2] as string).replace(/^'(.*)'$/, '$1'));
    }
    if (!/-(?:config|profiles|port)=/i.test(line)) continue;
    const filled = line.replaceAll(
      /%([A-Za-z_]\w*)%|\$\{?([A-Za-z_]\w*)\}?/g,
      (whole, one?: string, other?: string) => variables.get((one ?? other ?? '').toLowerCase()) ?? whole,
    );
    // A variable that is set elsewhere leaves its name behind.
    launches.push(readLaunch(splitCommandLine(filled).filter((word) => !/[%$]/.test(word))));
  }
  return launches;
}
