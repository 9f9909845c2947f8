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
