import { adminLog, type GameEvent, LocalZone } from 'dayz-files';
import { isLoading, Roster } from '../../../../src/server/ingest/counting/roster.ts';
import { RunTally } from '../../../../src/server/ingest/counting/tally.ts';

/** What was said just before a list of players, beside what the list says. */
export interface ListComparison {
  /** The line of the list's end, counted from 1. */
  line: number;
  time: string;
  /** Whether everybody who is on was known. */
  isComplete: boolean;
  listed: number;
  /** Ids of players who were said to be in the game and are not listed, and of those the other way round. */
  wronglyOn: string[];
  wronglyOff: string[];
}

const time = (line: string): string => (/^\d\d:\d\d:\d\d \| /.test(line) ? line.slice(0, 8) : '');

/**
 * Reads a log as it grew, the lines of each second at once, and compares the roster with each list just before the list
 * was written. The lists are read here by rules of their own.
 */
export function replay(text: string): ListComparison[] {
  const comparisons: ListComparison[] = [];
  const reader = adminLog.open({ zone: new LocalZone('UTC') });
  const roster = new Roster();
  const add = adderTo(roster);
  let second: string[] = [];
  let list: { before: Map<string, boolean>; isComplete: boolean; ids: Set<string> } | null = null;
  const readSecond = (): void => {
    const bytes = Buffer.from(second.map((line) => `${line}\n`).join(''), 'latin1');
    reader.read({ bytes }, add);
    second = [];
  };
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const isListStart = / \| ##### PlayerList log: /.test(line);
    if (isListStart || time(line) !== time(lines[index - 1] ?? '')) readSecond();
    if (isListStart) {
      const at = (reader.lastEventAt ?? 0) + sinceMs(reader.lastEventAt ?? 0, time(line));
      const before = new Map(
        Array.from(roster.players, ([id, player]) => [id, !isLoading(player, at)] as const),
      );
      list = { before, isComplete: roster.isComplete, ids: new Set() };
    } else if (list !== null && /^.{8} \| Player .*>\)\s*$/.test(line)) {
      const id = /\(id=([^ )]+) pos=<[^>]*>\)\s*$/.exec(line)?.[1];
      if (id !== undefined) list.ids.add(id);
    } else if (list !== null && /^.{8} \| #####\s*$/.test(line)) {
      const { before, isComplete, ids } = list;
      comparisons.push({
        line: index + 1,
        time: time(line),
        isComplete,
        listed: ids.size,
        wronglyOn: [...before].flatMap(([id, isOn]) => (isOn && !ids.has(id) ? [id] : [])),
        wronglyOff: [...ids].filter((id) => before.get(id) !== true),
      });
      list = null;
    }
    second.push(line);
  }
  return comparisons;
}

/** Adds events to a roster, with the sessions of their run. */
export function adderTo(roster: Roster): (event: GameEvent) => void {
  let tally = new RunTally();
  return (event) => {
    if (event.kind === 'run-started') tally = new RunTally();
    if (event.kind !== 'dropped') tally.add(event);
    roster.add(event, (id) => tally.session(id));
  };
}

/** How long after a moment the log's clock says the time of day, by day and night. */
function sinceMs(moment: number, timeOfDay: string): number {
  const dayMs = 86_400_000;
  return (((Date.parse(`1970-01-01T${timeOfDay}Z`) - moment) % dayMs) + dayMs) % dayMs;
}

/** The lines that name a player, up to one of them. */
export function linesAbout(text: string, id: string, until: number): string[] {
  return text
    .split('\n')
    .slice(0, until)
    .filter((line) => line.includes(id));
}
