/** The start parameters of a server that say where its files are. Paths are as written. Null: it is not given. */
export interface Launch {
  /** `-config=serverDZ.cfg` */
  config: string | null;
  /** `-profiles=profiles`, the folder of its logs. */
  profiles: string | null;
  /** `-mission=./mpmissions/dayzOffline.enoch` */
  mission: string | null;
  /** `-BEpath=battleye` */
  battleye: string | null;
  /** `-port=2302` */
  port: number | null;
}

const maxLines = 2_000;
/** Variables may hold one another again and again. No path is longer, and no system takes a longer line. */
const maxValueLength = 1_000;
const maxLineLength = 8_192;

/** How scripts name their own folder. The paths that follow from it are relative to that. */
const ownFolder: readonly (readonly [RegExp, string])[] = [
  [/%~dp0\\?/gi, './'],
  [/%cd%|\$PSScriptRoot\b|\$\{?PWD\}?(?!\w)|\$\(pwd\)|\$\(dirname (?:"[^"]*"|[^)]*)\)/gi, '.'],
];

/** The starts in a script (.bat, .cmd, .sh, .ps1): lines with start parameters, its variables filled in. */
export function readStartScript(text: string): Launch[] {
  const variables = new Map<string, string>();
  const launches: Launch[] = [];
  for (const line of linesOf(text)) {
    if (line.length > maxLineLength || /^\s*(?:rem\b|::|#)/i.test(line)) continue;
    const assigned =
      /^\s*(?:set\s+(?:\/a\s+)?"?|export\s+|local\s+|\$)?([A-Za-z_]\w{0,60})\s*=\s*"?([^"\r\n]{0,400}?)"?\s*$/i.exec(
        line,
      );
    if (assigned !== null) {
      const value = filled((assigned[2] as string).replace(/^'(.*)'$/, '$1'), variables);
      const name = (assigned[1] as string).toLowerCase();
      variables.set(name, value.replaceAll('"', '').slice(0, maxValueLength));
    }
    if (!/-(?:config|profiles|port)=/i.test(line)) continue;
    // A variable that is set elsewhere leaves its name behind.
    const words = splitCommandLine(filled(withoutLists(line), variables)).filter(
      (word) => !/[%$]/.test(word),
    );
    launches.push(readLaunch(words));
  }
  return launches;
}

/** A command may go on in the next line, and the list of its parameters may have a line for each. */
function linesOf(text: string): string[] {
  let own = text;
  for (const [name, folder] of ownFolder) own = own.replaceAll(name, folder);
  return own
    .replaceAll(/(?:[\^`]|(?<=\s)\\)\r?\n/g, ' ')
    .replaceAll(/=\s*@?\(\s*\n[^()]*\)/g, (list) => list.replaceAll(/\s*\r?\n\s*/g, ' '))
    .split(/\r?\n/)
    .slice(0, maxLines);
}

/** The elements of lists as words: `@("-port=2302", '-config=x.cfg')` in PowerShell, `(-port=2302 …)` in a shell. */
const withoutLists = (line: string): string =>
  line
    .replaceAll(/(?<=^|[\s,(=])'([^'"]*)'/g, '"$1"')
    .replaceAll(/(?<=")\s*,\s*(?=")|\(\s*(?=["-])|(?<=")\s*\)/g, ' ');

/** A value with blanks stays one word, as Windows keeps its quotes. */
function filled(line: string, variables: ReadonlyMap<string, string>): string {
  return line.replaceAll(
    /%([A-Za-z_]\w*)%|\$\{?([A-Za-z_]\w*)(?::-([^}]*))?\}?/g,
    (
      whole,
      one: string | undefined,
      other: string | undefined,
      otherwise: string | undefined,
      at: number,
    ) => {
      const value = variables.get((one ?? other ?? '').toLowerCase()) ?? otherwise ?? whole;
      const isInQuotes = line.slice(0, at).split('"').length % 2 === 0;
      return isInQuotes || !/\s/.test(value) ? value : `"${value}"`;
    },
  );
}

/** Splits a command line at the blanks outside of double quotes. */
export function splitCommandLine(line: string): string[] {
  return Array.from(line.matchAll(/(?:[^\s"]|"[^"]*"?)+/g), ([word]) => word.replaceAll('"', ''));
}

/** The start parameters of a server. */
export function readLaunch(args: readonly string[]): Launch {
  const value = (name: string): string | null => {
    const prefix = `-${name}=`;
    const found = args.find((arg) => arg.toLowerCase().startsWith(prefix));
    const text = found?.slice(prefix.length).replaceAll('"', '').trim() ?? '';
    return text === '' || /\p{Cc}/u.test(text) ? null : text;
  };
  const port = Number(value('port'));
  return {
    config: value('config'),
    profiles: value('profiles'),
    mission: value('mission'),
    battleye: value('bepath'),
    port: Number.isInteger(port) && port > 0 && port <= 65_535 ? port : null,
  };
}
